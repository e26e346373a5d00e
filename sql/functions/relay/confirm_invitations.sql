/*
 * If the relay reports on a message, it accepted the message, no matter what it reports. So the invitation continues like an accepted one,
 * from the time of the event: its next reminder is queued, if there is one and it was not cancelled.
 *
 * A job calls this every minute; recording an event doesn't call it. For events mostly come before the attempt has timed out, and an event
 * and the attempt's result may commit at the same moment. An event with the id of a message before it
 * doesn't confirm a reminder. After 30 days relays report nothing more.
 *
 * Locks: the messages, by invitation (for no key update, skip locked), by a statement of its own, as settle_invitations. Pins: lookup plan.
 */
create or replace function invite.confirm_invitations(at timestamptz default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(confirm_invitations.at);
  v_unlocked bigint[];
  v_confirmed integer;
begin
  with unlocked as materialized (
    select m.invitation_id, m.number
    from invite.messages as m
    where m.status = 'failed' and m.last_error_code = 'unconfirmed' and not m.is_erased
      and m.unconfirmed_since > v_now - interval '30 days'
      and exists (select from invite.relay_events as r where r.invitation_id = m.invitation_id)
      and exists (
        select from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = m.survey_id and w.moved_to is null)
    order by m.invitation_id
    for no key update skip locked
  )
  select array_agg(u.invitation_id) into v_unlocked
  from unlocked as u;

  with reported as (
    select
      i.id, m.number, e.sent_at, e.relay_message_id, i.batch_id, i.responded_at, i.bounced_at, m.message_kind,
      case
        when i.responded_at is null and i.bounced_at is null and m.cancelled_at is null then
          invite.next_reminder_at(
            b.reminders, m.number,
            case m.number
              when 0 then e.sent_at
              else (select f.sent_at from invite.messages as f where f.invitation_id = m.invitation_id and f.number = 0)
            end,
            e.sent_at)
      end as reminder_at
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    join invite.batches as b on b.id = i.batch_id
    cross join lateral (
      select least(r.occurred_at, v_now) as sent_at, r.relay_message_id
      from invite.relay_events as r
      where r.invitation_id = i.id
        and not exists (
          select from invite.messages as o
          where o.invitation_id = m.invitation_id and o.number < m.number
            and (btrim(r.relay_message_id, '<>') <> btrim(o.relay_message_id, '<>')) is not true)
      order by r.occurred_at
      limit 1
    ) as e
    where m.invitation_id = any (v_unlocked) and m.status::text = 'failed' and m.last_error_code = 'unconfirmed'
  ),
  confirmed as (
    update invite.messages as m
    set
      status = 'sent',
      is_last = r.reminder_at is null,
      sent_at = r.sent_at,
      unconfirmed_since = null,
      last_error_code = null,
      last_error = null,
      relay_message_id = coalesce(r.relay_message_id, m.relay_message_id)
    from reported as r
    where m.invitation_id = r.id and m.number = r.number
    returning
      r.id, m.number, m.survey_id, r.batch_id, m.records_events, r.sent_at, r.responded_at, r.bounced_at, r.message_kind, r.reminder_at
  ),
  reminded as (
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at, records_events)
    select c.id, c.number + 1, c.survey_id, c.reminder_at, c.reminder_at, c.reminder_at - interval '1 minute', c.records_events
    from confirmed as c
    where c.reminder_at is not null
    order by c.id
  ),
  counted as (
    insert into invite.result_changes (survey_id, starts_at, question, value, number)
    select c.survey_id, date_bin('15 minutes', c.sent_at, '2000-01-01 00:00Z'), '', v.value, count(*)
    from confirmed as c
    cross join lateral invite.counted_times(c.number, c.sent_at, c.responded_at, c.bounced_at) as v
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
