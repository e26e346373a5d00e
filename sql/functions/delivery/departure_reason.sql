/*
 * The only place of this rule, in the order in which it looks: what is being sent or has ended; what waits; what is not due; what makes it end
 * when a worker looks at it; what holds its survey; and whether workers can send. The claim acts by it, and the views say it.
 *
 * Before a message is due nothing else counts: a suppression may be lifted until then. What waits is looked at again only when it is no longer
 * held, and then has a new due time: so only what isn't held can be too late.
 *
 * responded_at: the recipient's. suppressed: whether the address is. rejected_kind: the batch's. held: whether the survey has a hold_reason.
 * One expression that uses suppressed and held once, so that the planner inlines it.
 */
create or replace function invite.departure_reason(
  message invite.messages, responded_at timestamptz, suppressed boolean, rejected_kind invite.message_kind, held boolean, sending invite.sending,
  at timestamptz
) returns invite.unsent_reason
language sql immutable parallel safe
as $$
  select case
    when message.status = 'sending' then 'sending'::invite.unsent_reason
    when message.status = 'failed' then 'failed'
    when message.status = 'suppressed' then 'suppressed'
    when message.status = 'cancelled' then 'cancelled'
    when message.status = 'answered' then 'responded'
    when message.status = 'skipped' then message.rule
    when message.status = 'sent' then null
    when message.status = 'queued' and message.not_before > at then
      case when message.last_error_code is null then 'not_due'::invite.unsent_reason else 'retry_later' end
    when message.status = 'queued' and responded_at is not null then 'responded'
    when message.status = 'queued' and suppressed then 'suppressed'
    when message.status = 'queued' and rejected_kind = message.message_kind then 'content_rejected'
    when held then 'held'
    when message.status = 'waiting' then 'requeueing'
    when message.not_before < (sending).late_before then 'too_late'
    when not (sending).is_alive then 'no_worker'
    when (sending).paused_until > at then 'relay_paused'
    else 'ready'
  end
$$;
comment on function invite.departure_reason(invite.messages, timestamptz, boolean, invite.message_kind, boolean, invite.sending, timestamptz) is
  'Whether a message may leave at a time (ready), and why not. Null: it has left.';
