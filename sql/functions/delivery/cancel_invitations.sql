/*
 * What has ended is left alone. The jobs stay: they find nothing to send. A message that is being sent can't be called back:
 * cancelled_at makes settle_invitations and recover_workers end it instead of retrying it or queueing the reminder; and
 * confirm_invitations, if it failed as unconfirmed. Pins: lookup plan.
 *
 * Locks: the messages, by invitation (for no key update); the clock is read after it. The update is its own statement: in one with the lock,
 * it would join the new status with the old row, which the table's checks reject. It also sees a reminder that was queued meanwhile.
 */
create or replace function invite.cancel_invitations(invitation_ids bigint[], at timestamptz) returns invite.cancel_result
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz;
  v_result invite.cancel_result;
begin
  v_now := invite.lock_messages(cancel_invitations.invitation_ids, cancel_invitations.at);

  with marked as (
    update invite.messages as m
    set
      status = case when m.status in ('queued', 'waiting') then 'cancelled' else m.status end,
      not_before = case when m.status = 'sending' then m.not_before end,
      sweep_at = null,
      cancelled_at = coalesce(m.cancelled_at, v_now)
    where m.invitation_id = any (cancel_invitations.invitation_ids)
      and (m.status::text in ('queued', 'waiting', 'sending') or m.status::text = 'failed' and m.last_error_code = 'unconfirmed' and m.cancelled_at is null)
    returning m.status, m.number
  )
  select
    count(*) filter (where k.status = 'cancelled'),
    count(*) filter (where k.status = 'cancelled' and k.number > 0),
    count(*) filter (where k.status <> 'cancelled'),
    false
  into v_result
  from marked as k;
  return v_result;
end
$$;
comment on function invite.cancel_invitations(bigint[], timestamptz) is
  'Cancels what is pending among the given invitations; marks what is being sent or unconfirmed, so that nothing follows it.';
