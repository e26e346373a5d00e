-- Shows the survey_id of the batch, because batches have an index by survey. The messages are looked up once for each invitation.
create or replace view invite.invitation_history as
select
  i.id, b.workspace_id, b.survey_id, i.batch_id, i.email, h.at, h.event, h.detail,
  case
    when h.event = 'accepted' then 'request accepted' || coalesce(', ' || h.detail, '')
    when h.event = 'response_recorded' then 'response recorded' || coalesce(', in ' || h.detail, '')
    when h.event in ('invitation_sent', 'reminder_sent') then replace(h.event::text, '_', ' ') || coalesce(', relay id ' || h.detail, '')
    when starts_with(h.event::text, 'relay_') then 'relay reported ' || replace(substr(h.event::text, 7), '_', ' ') || coalesce(': ' || h.detail, '')
    else replace(h.event::text, '_', ' ') || coalesce(': ' || h.detail, '')
  end as in_words
from invite.invitations as i
join invite.batches as b on b.id = i.batch_id
cross join lateral (
  values
    (b.accepted_at, 'accepted'::invite.history_event, case when b.scheduled_at > b.accepted_at then 'scheduled' end),
    (i.responded_at, 'response_recorded', (select r.language from invite.responses as r where r.invitation_id = i.id)),
    (i.erased_at, 'erased', null)
  union all
  select e.at, e.event, e.detail
  from invite.messages as m
  cross join lateral (
    values
      (m.sent_at, case when m.number = 0 then 'invitation_sent'::invite.history_event else 'reminder_sent' end, m.relay_message_id),
      (m.failed_at, case when m.status = 'suppressed' then 'suppressed'::invite.history_event else 'failed' end, m.last_error_code),
      (m.cancelled_at, 'cancelled', null),
      (m.not_before, case when m.number = 0 then 'invitation_due'::invite.history_event else 'reminder_due' end, m.status::text)
  ) as e (at, event, detail)
  where m.invitation_id = i.id
  union all
  select r.occurred_at, ('relay_' || r.type)::invite.history_event, r.detail
  from invite.relay_events as r
  where r.invitation_id = i.id
  union all
  -- Outcomes without a relay event: an unsubscription by the link, or an event that was pruned.
  select o.at, case o.outcome
      when 'unsubscribed' then 'unsubscribed'::invite.history_event
      when 'delivered' then 'relay_delivered'
      when 'soft_bounced' then 'relay_soft_bounce'
      when 'bounced' then 'relay_hard_bounce'
      when 'complained' then 'relay_complaint'
    end, null
  from invite.invitation_outcomes as o
  where o.invitation_id = i.id and o.outcome <> 'responded'
    and not exists (select from invite.relay_events as r where r.invitation_id = i.id and invite.outcome_of(r.type) = o.outcome)
) as h (at, event, detail)
where h.at is not null;
comment on view invite.invitation_history is
  'What happened to each invitation, one row for each event: accepted, sent, reported by the relay, responded, and when its next email is due. '
  'event and detail are codes; in_words is a sentence. Filter by id (invitations_to returns the ids of an address), batch or survey: a filter '
  'by time alone reads everything.';
