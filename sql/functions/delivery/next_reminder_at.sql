/*
 * The days count from the first email. If a message left late, the next one still doesn't follow within a day.
 *
 * One expression that uses first_sent_at once, so that the planner inlines it.
 */
create or replace function invite.next_reminder_at(reminders smallint[], number smallint, first_sent_at timestamptz, sent_at timestamptz)
returns timestamptz
language sql stable
as $$
  select case
    when next_reminder_at.number < cardinality(next_reminder_at.reminders) then
      greatest(
        next_reminder_at.first_sent_at + next_reminder_at.reminders[next_reminder_at.number + 1] * interval '24 hours',
        next_reminder_at.sent_at + interval '24 hours')
  end
$$;
comment on function invite.next_reminder_at(smallint[], smallint, timestamptz, timestamptz) is
  'When the reminder after the message of a number is due, which was sent at sent_at. Null: none follows.';
