/*
 * What has ended is left alone. The jobs stay: they find nothing to send. A message that is being sent can't be called back:
 * cancelled_at makes settle_invitations and recover_workers end it instead of retrying it or queueing the reminder. Pins: lookup plan.
 *
 * Locks: the invitations, by id (for no key update); the clock is read after it. The update is its own statement: in one with the lock,
 * it would join the new status with the old row, which the table's checks reject.
 */
create or replace function invite.cancel_invitations(invitation_ids bigint[], at timestamptz) returns invite.cancel_result
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz;
  v_result invite.cancel_result;
begin
  perform from invite.invitations as i
  where i.id = any (cancel_invitations.invitation_ids)
  order by i.id
  for no key update;
  v_now := coalesce(cancel_invitations.at, clock_timestamp());

  with marked as (
    update invite.invitations as i
    set
      status = case when i.status = 'sending' then 'sending' else 'cancelled' end::invite.invitation_status,
      due_at = case when i.status = 'sending' then i.due_at end,
      sweep_at = null,
      cancelled_at = coalesce(i.cancelled_at, v_now)
    where i.id = any (cancel_invitations.invitation_ids) and i.status::text in ('queued', 'waiting', 'sending')
    returning i.status, i.message_kind
  )
  select
    count(*) filter (where m.status = 'cancelled'),
    count(*) filter (where m.status = 'cancelled' and m.message_kind = 'reminder'),
    count(*) filter (where m.status = 'sending'),
    false
  into v_result
  from marked as m;
  return v_result;
end
$$;
comment on function invite.cancel_invitations(bigint[], timestamptz) is
  'Cancels what is pending among the given invitations; marks what is being sent, so that nothing follows it.';
