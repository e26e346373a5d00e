/*
 * A request from SQL holds no quota, because its transaction may stay open: its batch gets its total here, soon after its commit, and until then
 * check_triggers counts it as newer than all totals.
 *
 * Locks: the workspaces' quotas by id (advisory), then the batches.
 */
create or replace function invite.count_batches() returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_workspace text;
  v_counted integer := 0;
  v_step integer;
begin
  for v_workspace in
    select distinct b.workspace_id from invite.batches as b where b.workspace_total is null order by b.workspace_id
  loop
    perform pg_advisory_xact_lock(hashtextextended('invite.quota/' || v_workspace, 0));
    update invite.batches as b
    set workspace_total = n.total
    from (
      select
        u.id,
        sum(u.recipients) over (order by u.accepted_at, u.id) + coalesce((
          select c.workspace_total
          from invite.batches as c
          where c.workspace_id = v_workspace and c.workspace_total is not null
          order by c.workspace_total desc
          limit 1
        ), 0) as total
      from invite.batches as u
      where u.workspace_id = v_workspace and u.workspace_total is null
    ) as n
    where b.id = n.id;
    get diagnostics v_step = row_count;
    v_counted := v_counted + v_step;
  end loop;
  return v_counted;
end
$$;
comment on function invite.count_batches() is 'Gives batches that were invited from SQL their place in the quota. Returns how many.';
