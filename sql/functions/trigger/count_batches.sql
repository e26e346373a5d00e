/*
 * A request from SQL doesn't lock the quota, because its transaction may stay open. Its batch gets its total here, soon after its commit.
 * Until then check_triggers counts it as newer than all totals.
 *
 * Call it for each workspace (uncounted_workspaces) in a transaction of its own, so that a locked workspace doesn't delay the others.
 * Batches that somebody has locked get their total later.
 *
 * Locks: the workspace's quota (advisory), then the batches (for no key update, skip locked).
 */
create or replace function invite.count_batches(workspace_id text) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_counted integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('invite.quota/' || count_batches.workspace_id, 0));
  with uncounted as (
    select b.id, b.recipients, b.accepted_at
    from invite.batches as b
    where b.workspace_id = count_batches.workspace_id and b.workspace_total is null
    for no key update skip locked
  )
  update invite.batches as b
  set workspace_total = n.total
  from (
    select
      u.id,
      sum(u.recipients) over (order by u.accepted_at, u.id) + coalesce((
        select c.workspace_total
        from invite.batches as c
        where c.workspace_id = count_batches.workspace_id and c.workspace_total is not null
        order by c.workspace_total desc
        limit 1
      ), 0) as total
    from uncounted as u
  ) as n
  where b.id = n.id;
  get diagnostics v_counted = row_count;
  return v_counted;
end
$$;
comment on function invite.count_batches(text) is 'Gives a workspace''s batches from SQL their totals in the quota. Returns how many.';
