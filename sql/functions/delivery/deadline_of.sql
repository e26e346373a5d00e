/*
 * The earliest of: the time when it was wanted, or sent again by hand, and the delay; the survey's closing date; for a reminder, a day before
 * its link expires. What was wanted before the survey's first activation counts from there, and has no end until then.
 *
 * first_sent_at: when the invitation's first email was sent.
 */
create or replace function invite.deadline_of(
  rules invite.survey_rules, message invite.messages, first_sent_at timestamptz default null
) returns invite.deadline
language plpgsql immutable parallel safe
as $$
declare
  v_delayed_at constant timestamptz := case when rules.activated_at is not null then
    greatest(message.due_at, message.retried_at, rules.activated_at) + rules.delay_hours * interval '1 hour'
  end;
  v_expires_at constant timestamptz := case when message.number > 0 then
    deadline_of.first_sent_at + (rules.link_days - 1) * interval '24 hours'
  end;
  v_at constant timestamptz := least(v_delayed_at, v_expires_at, rules.closes_at);
begin
  return row(
    v_at,
    case v_at when rules.closes_at then 'survey_ended' when v_expires_at then 'link_expired' else 'too_late' end::invite.unsent_reason
  )::invite.deadline;
end
$$;
comment on function invite.deadline_of(invite.survey_rules, invite.messages, timestamptz) is
  'When a message has to have left, and the reason with which it is skipped after that. at: null if it may leave at any time.';
