-- Shows the survey_id of the batch, because batches have an index by survey. The last message is that with the highest number.
create or replace view invite.invitation_overview as
select
  i.id, i.batch_id, b.survey_id, i.email, i.name, i.metadata, m.status, m.message_kind, m.not_before as due_at, m.attempts,
  f.sent_at, case when m.number > 0 then r.sent_at end as reminded_at, i.responded_at, m.last_error_code, m.last_error,
  coalesce(m.relay_message_id, f.relay_message_id) as relay_message_id, m.worker_id, m.cancelled_at,
  m.failed_at, i.erased_at, b.workspace_id, i.language
from invite.invitations as i
join invite.batches as b on b.id = i.batch_id
join invite.messages as m on m.invitation_id = i.id and m.is_last
join invite.messages as f on f.invitation_id = i.id and f.number = 0
left join lateral (
  select max(x.sent_at) as sent_at from invite.messages as x where m.number > 0 and x.invitation_id = i.id and x.number > 0
) as r on true;
comment on view invite.invitation_overview is
  'Invitations with the state of their last message, and when the first one and the last reminder were sent. Without their links.';
