/*
 * Deletes idempotency keys that are older than 24 hours, at most max_rows of them; if there may be more, adds a job that goes on.
 *
 * Called by: the task prune_idempotency_keys, every few minutes. Locks: the rows (for update, skip locked).
 */
create or replace function invite.prune_idempotency_keys(
  max_rows integer default 5000, at timestamptz default null
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(prune_idempotency_keys.at, clock_timestamp());
  v_pruned integer;
begin
  with old as (
    select k.trigger_token_id, k.key
    from invite.idempotency_keys as k
    where k.created_at <= v_now - interval '24 hours'
    order by k.created_at
    limit prune_idempotency_keys.max_rows
    for update skip locked
  )
  delete from invite.idempotency_keys as k
  using old as o
  where k.trigger_token_id = o.trigger_token_id and k.key = o.key;
  get diagnostics v_pruned = row_count;

  if v_pruned >= prune_idempotency_keys.max_rows then
    perform graphile_worker.add_job('prune_idempotency_keys');
  end if;
  return v_pruned;
end
$$;
comment on function invite.prune_idempotency_keys(integer, timestamptz) is
  'One bounded step of deleting idempotency keys older than 24 hours; queues the next step itself. Returns how many it deleted.';
