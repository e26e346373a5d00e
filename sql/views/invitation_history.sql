create or replace view invite.invitation_history as
select i.id, b.workspace_id, i.survey_id, i.batch_id, i.email, h.at, h.event, h.detail
from invite.invitations as i
join invite.batches as b on b.id = i.batch_id
cross join lateral (
  values
    (b.accepted_at, 'accepted', case when b.scheduled_at > b.accepted_at then 'scheduled' end),
    (i.sent_at, 'invitation sent', case when i.reminded_at is null then i.relay_message_id end),
    (i.reminded_at, 'reminder sent', i.relay_message_id),
    (i.responded_at, 'answered', null),
    (i.failed_at, case when i.status = 'suppressed' then 'suppressed' else 'failed' end, i.last_error_code),
    (i.cancelled_at, 'cancelled', null),
    (i.erased_at, 'erased', null),
    (i.due_at, i.mail || ' due', i.status::text)
  union all
  select r.occurred_at, 'relay: ' || r.type, r.detail
  from invite.relay_events as r
  where r.invitation_id = i.id
) as h (at, event, detail)
where h.at is not null;
comment on view invite.invitation_history is
  'What happened to each invitation, a row an event: accepted, sent, reported by the relay, answered, and when its next mail is due.';
