/*
 * Deletes whole batches. Responses stay.
 *
 * Pins: lookup plan. Locks: as lock_invitations, then the batches, without waiting: what somebody else has locked stays, with its batch. So
 * does a batch whose idempotency key has not been pruned.
 */
create or replace function invite.prune_batches(before timestamptz, max_rows integer) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_batches uuid[];
  v_ids bigint[];
  v_deleted integer;
begin
  v_batches := array(
    select c.id
    from (
      select b.id, sum(b.recipients) over (order by b.id) - b.recipients as recipients_before
      from invite.prunable_batches(prune_batches.before, prune_batches.max_rows) as b
    ) as c
    where c.recipients_before < prune_batches.max_rows
  );
  v_ids := invite.lock_invitations(array(select i.id from invite.invitations as i where i.batch_id = any (v_batches)), false);
  -- Looks again: a message may have been retried until it was locked.
  delete from invite.invitations as i
  where i.id = any (array(
    select o.id
    from invite.invitations as o
    join invite.messages as m on m.invitation_id = o.id and m.is_last
    where o.id = any (v_ids) and m.not_before is null
      and greatest(o.responded_at, invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at)) <= prune_batches.before));
  get diagnostics v_deleted = row_count;
  delete from invite.batches as b
  where b.ctid = any (array(
    select x.ctid
    from invite.batches as x
    where x.id = any (v_batches)
      and not exists (select from invite.invitations as i where i.batch_id = x.id)
      and not exists (select from invite.idempotency_keys as k where k.batch_id = x.id)
    for update skip locked));
  return v_deleted;
end
$$;
comment on function invite.prune_batches(timestamptz, integer) is
  'One bounded step of deleting batches that ended before a time, with their invitations. Returns how many invitations.';
