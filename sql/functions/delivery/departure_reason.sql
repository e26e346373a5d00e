/*
 * The only place of this rule, in the order in which it looks: what is being sent or has ended; what is not due; what makes it end when a
 * worker looks at it; what holds its survey; which rule makes it wait; and whether workers can send. The claim acts by it, and the views say it.
 *
 * Before a message is due nothing else counts: a suppression may be lifted until then. What can't leave before its deadline ends as soon as
 * that is known, which a wait of half a minute doesn't say; what may have left is tried until then, and ends as unconfirmed.
 *
 * responded_at: the recipient's. suppressed: whether the address is. declined: whether the recipient wants no email about this survey.
 * rejected_kind: the batch's. held: whether the survey has a hold_reason. deadline, wait: deadline_of and wait_of; null: no rule applies.
 * One expression that uses what isn't a column once, so that the planner inlines it: callers compute deadline and wait in a subquery.
 */
create or replace function invite.departure_reason(
  message invite.messages, responded_at timestamptz, suppressed boolean, declined boolean, rejected_kind invite.message_kind, held boolean,
  deadline invite.deadline, wait invite.wait, sending invite.sending, at timestamptz
) returns invite.unsent_reason
language sql stable parallel safe
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
      case when message.rule is not null then message.rule when message.last_error_code is null then 'not_due' else 'retry_later' end
    when message.status = 'queued' and responded_at is not null then 'responded'
    when message.status = 'queued' and suppressed then 'suppressed'
    when message.status = 'queued' and declined then 'declined'
    when message.status = 'queued' and rejected_kind = message.message_kind then 'content_rejected'
    when (deadline).at < at then (deadline).reason
    when held then 'held'
    when message.status = 'waiting' then 'requeueing'
    when (wait).until > at then invite.reason_of_wait(wait, deadline, at)
    when not (sending).is_alive then 'no_worker'
    when (sending).paused_until > at then 'relay_paused'
    else 'ready'
  end
$$;
comment on function invite.departure_reason(
  invite.messages, timestamptz, boolean, boolean, invite.message_kind, boolean, invite.deadline, invite.wait, invite.sending, timestamptz) is
  'Whether a message may leave at a time (ready), and why not. Null: it has left.';
