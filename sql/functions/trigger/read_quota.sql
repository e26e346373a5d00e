/*
 * The hourly quota of a token's workspace and what is left of it, for the answer to a request that exceeds it. remaining is the largest
 * number of recipients for which quota_end has no row, so it agrees with check_triggers; it is searched for by halves, because only
 * totals are indexed. No row: no such token. Locks: none.
 */
create or replace function invite.read_quota(secret_hash bytea, recipients_per_hour integer, at timestamptz default null)
returns setof invite.quota
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(invite.owner_time(read_quota.at), clock_timestamp());
  v_limit integer := invite.allowed_quota(read_quota.recipients_per_hour);
  v_workspace_id text;
  v_used bigint;
  v_fits integer := 0;
  v_exceeds integer := v_limit + 1;
  v_try integer;
begin
  select s.workspace_id, coalesce(b.workspace_total, 0)
  into v_workspace_id, v_used
  from invite.trigger_tokens as t
  join invite.surveys as s on s.id = t.survey_id
  left join lateral (
    select n.workspace_total
    from invite.batches as n
    where n.workspace_id = s.workspace_id
    order by n.workspace_total desc
    limit 1
  ) as b on true
  where t.secret_hash = read_quota.secret_hash;
  if not found then
    return;
  end if;

  while v_exceeds - v_fits > 1 loop
    v_try := (v_fits + v_exceeds) / 2;
    if exists (select from invite.quota_end(v_workspace_id, v_used + v_try - v_limit, v_now)) then
      v_exceeds := v_try;
    else
      v_fits := v_try;
    end if;
  end loop;
  return next row(v_limit, v_fits)::invite.quota;
end
$$;
comment on function invite.read_quota(bytea, integer, timestamptz) is
  'The recipients that the workspace of a token may invite in any rolling hour, and those that it may still invite now.';
