/*
 * The earliest of: the time when it was wanted, or sent again by hand, and the delay; the survey's closing date; for a reminder, a day before
 * its link expires. What was wanted before the survey's first activation counts from there, and has no end until then.
 *
 * wanted_at: due_at, or when a person sent it again. first_sent_at: of a reminder, when the invitation's first email was sent.
 */
create or replace function invite.deadline_of(
  rules invite.survey_rules, wanted_at timestamptz, first_sent_at timestamptz default null
) returns invite.deadline
language plpgsql immutable parallel safe
as $$
declare
  v_delayed_at constant timestamptz := case when rules.activated_at is not null then
    greatest(deadline_of.wanted_at, rules.activated_at) + rules.delay_hours * interval '1 hour'
  end;
  v_expires_at constant timestamptz := deadline_of.first_sent_at + (rules.link_days - 1) * interval '24 hours';
  v_at constant timestamptz := least(v_delayed_at, v_expires_at, rules.closes_at);
begin
  return row(
    v_at,
    case v_at when rules.closes_at then 'survey_ended' when v_expires_at then 'link_expired' else 'too_late' end::invite.unsent_reason
  )::invite.deadline;
end
$$;
comment on function invite.deadline_of(invite.survey_rules, timestamptz, timestamptz) is
  'When a message has to have left, and the reason with which it is skipped after that. at: null if it may leave at any time.';
