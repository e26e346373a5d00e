/*
 * There can be many idempotency keys: a step deletes at most max_rows of them, and a full step queues the next. The other tables are small.
 *
 * Locks: as prune_retained, then the keys (for update, skip locked): one that a request is using is left for the next time. Batches go first,
 * because deleting a survey waits for keys while it holds the choices of recipients. Pins: lookup plan.
 */
create or replace function invite.prune_expired(max_rows integer default 5000, at timestamptz default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(prune_expired.at);
  v_retained constant integer := invite.prune_retained(prune_expired.max_rows, v_now);
  v_pruned integer;
begin
  delete from invite.rejections as r where r.hour <= v_now - interval '7 days';
  delete from invite.sign_in_links as l where l.requested_at <= v_now - interval '1 day';
  delete from invite.test_invitations as x where x.requested_at <= v_now - interval '1 day';
  delete from invite.sessions as s where invite.session_ends_at(s.created_at, s.seen_at) <= v_now;

  with old as (
    select k.trigger_token_id, k.key
    from invite.idempotency_keys as k
    where k.created_at <= v_now - interval '24 hours'
    order by k.created_at
    limit prune_expired.max_rows
    for update skip locked
  )
  delete from invite.idempotency_keys as k
  using old as o
  where k.trigger_token_id = o.trigger_token_id and k.key = o.key;
  get diagnostics v_pruned = row_count;

  if greatest(v_pruned, v_retained) >= prune_expired.max_rows then
    perform graphile_worker.add_job('prune_expired');
  end if;
  return v_pruned;
end
$$;
comment on function invite.prune_expired(integer, timestamptz) is
  'Deletes expired idempotency keys, sessions, sign-in links, test invitations and counts of rejected requests. Returns how many keys it deleted.';
