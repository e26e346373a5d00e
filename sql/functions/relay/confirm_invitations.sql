/*
 * If the relay reports on a message, it accepted the message, no matter what it reports. So the invitation continues like an accepted one,
 * from the time of the event: its reminder is queued, if it has one.
 *
 * A job calls this every minute; recording an event doesn't call it. For events mostly come before the attempt has timed out, and an event
 * and the attempt's result may commit at the same moment. The row keeps the invitation's message id, so that an event of the invitation
 * doesn't confirm the reminder. After 30 days relays report nothing more.
 *
 * Locks: the invitations, by id (for no key update, skip locked).
 */
create or replace function invite.confirm_invitations(at timestamptz default null) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(confirm_invitations.at, clock_timestamp());
  v_confirmed integer;
begin
  with reported as (
    select
      i.id, i.message_kind, e.sent_at, e.relay_message_id, e.sent_at + b.reminder_days * interval '24 hours' as reminder_at,
      i.message_kind = 'invitation' and b.reminder_days > 0 and i.responded_at is null as reminds
    from invite.invitations as i
    join invite.batches as b on b.id = i.batch_id
    cross join lateral (
      select least(r.occurred_at, v_now) as sent_at, r.relay_message_id
      from invite.relay_events as r
      where r.invitation_id = i.id
        and (i.message_kind = 'invitation' or btrim(r.relay_message_id, '<>') <> btrim(i.relay_message_id, '<>'))
      order by r.occurred_at
      limit 1
    ) as e
    where i.status = 'failed' and i.last_error_code = 'unconfirmed' and i.erased_at is null
      and i.unconfirmed_since > v_now - interval '30 days'
    order by i.id
    for no key update of i skip locked
  ),
  confirmed as (
    update invite.invitations as i
    set
      status = case when r.reminds then 'queued' else 'sent' end::invite.invitation_status,
      message_kind = case when r.reminds then 'reminder' else i.message_kind end,
      due_at = case when r.reminds then r.reminder_at end,
      sweep_at = case when r.reminds then r.reminder_at - interval '1 minute' end,
      attempts = case when r.reminds then 0 else i.attempts end,
      sent_at = case when i.message_kind = 'invitation' then r.sent_at else i.sent_at end,
      reminded_at = case when i.message_kind = 'reminder' then r.sent_at else i.reminded_at end,
      unconfirmed_since = null,
      last_error_code = null,
      last_error = null,
      relay_message_id = coalesce(r.relay_message_id, i.relay_message_id)
    from reported as r
    where i.id = r.id
    returning i.id, i.survey_id, i.batch_id, i.records_events, r.sent_at, i.responded_at, i.bounced_at, r.message_kind
  ),
  counted as (
    insert into invite.result_changes (survey_id, starts_at, question, value, number)
    select c.survey_id, date_bin('15 minutes', c.sent_at, '2000-01-01 00:00Z'), '', v.value, count(*)
    from confirmed as c
    cross join lateral invite.counted_times(c.sent_at, c.responded_at, c.bounced_at) as v
    where c.message_kind = 'invitation'
    group by 1, 2, 4
  ),
  recorded as (
    insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, message_kind)
    select
      case c.message_kind when 'invitation' then 'invitation.sent' else 'invitation.reminded' end::invite.event_type,
      c.sent_at, c.survey_id, c.batch_id, c.id, c.message_kind
    from confirmed as c
    where c.records_events
    order by c.id
  )
  select count(*) into v_confirmed
  from confirmed as c;
  return v_confirmed;
end
$$;
comment on function invite.confirm_invitations(timestamptz) is
  'Marks unconfirmed messages as sent if the relay has reported on them since. Returns how many.';
