/*
 * remaining is the largest number of recipients for which quota_end has no row, so it agrees with check_triggers. It is found by binary
 * search, because only totals are indexed. Locks: none.
 */
create or replace function invite.workspace_quota(workspace_id text, recipients_per_hour integer, at timestamptz) returns invite.quota
language plpgsql stable
as $$
declare
  v_limit integer := invite.allowed_quota(workspace_quota.recipients_per_hour);
  v_used bigint := coalesce((
    select n.workspace_total
    from invite.batches as n
    where n.workspace_id = workspace_quota.workspace_id and n.workspace_total is not null
    order by n.workspace_total desc
    limit 1), 0);
  v_uncounted bigint := (
    select coalesce(sum(u.recipients), 0)
    from (
      select b.recipients
      from invite.batches as b
      where b.workspace_id = workspace_quota.workspace_id and b.workspace_total is null
      limit v_limit + 1
    ) as u
  );
  v_fits integer := 0;
  v_exceeds integer := v_limit + 1;
  v_try integer;
begin
  while v_exceeds - v_fits > 1 loop
    v_try := (v_fits + v_exceeds) / 2;
    if v_uncounted + v_try > v_limit
      or exists (
        select from invite.quota_end(workspace_quota.workspace_id, v_used + v_uncounted + v_try - v_limit, workspace_quota.at))
    then
      v_exceeds := v_try;
    else
      v_fits := v_try;
    end if;
  end loop;
  return row(v_limit, v_fits)::invite.quota;
end
$$;
comment on function invite.workspace_quota(text, integer, timestamptz) is
  'The recipients that a workspace may invite in any rolling hour, and those that it may still invite now.';
