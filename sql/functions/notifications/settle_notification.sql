/*
 * code: sent, nothing, or the relay's code. tried_again: unless it was tried for a day. Does nothing if another worker has claimed it since.
 */
create or replace function invite.settle_notification(
  notification_id bigint, attempts integer, code text, tried_again boolean, at timestamptz default null
) returns void
language plpgsql volatile
as $$
declare
  v_now constant timestamptz := invite.clock(settle_notification.at);
  v_next constant timestamptz := v_now + invite.retry_delay(settle_notification.attempts, null);
  v_found invite.notifications;
begin
  update invite.notifications as n
  set
    leased_until = null, outcome = left(settle_notification.code, 100),
    due_at = case when settle_notification.tried_again and v_now < n.created_at + interval '1 day' then v_next end,
    ended_at = case when not (settle_notification.tried_again and v_now < n.created_at + interval '1 day') then v_now end
  where n.id = settle_notification.notification_id and n.attempts = settle_notification.attempts and n.due_at is not null
  returning n.* into v_found;
  if v_found.due_at is not null then
    perform invite.wake_notifications(v_found.due_at);
  elsif v_found.id is not null then
    delete from invite.low_scores as l where l.notification_id = v_found.id;
  end if;
end
$$;
comment on function invite.settle_notification(bigint, integer, text, boolean, timestamptz) is 'Records what became of an attempt to send an email to a member.';
