-- Shows the survey_id of the batch, because batches have an index by survey.
create or replace view invite.invitation_overview as
select
  i.id, i.batch_id, b.survey_id, i.email, i.name, i.metadata, i.status, i.message_kind, i.due_at, i.attempts,
  i.sent_at, i.reminded_at, i.responded_at, i.last_error_code, i.last_error, i.relay_message_id, i.worker_id, i.cancelled_at,
  i.failed_at, i.erased_at
from invite.invitations as i
join invite.batches as b on b.id = i.batch_id;
comment on view invite.invitation_overview is 'Invitations without their link tokens.';
