create or replace view invite.invitation_overview as
select
  i.id, i.batch_id, i.survey_id, i.email, i.name, i.metadata, i.status, i.message_kind, i.due_at, i.attempts,
  i.sent_at, i.reminded_at, i.responded_at, i.last_error_code, i.last_error, i.relay_message_id, i.worker_id, i.cancelled_at,
  i.failed_at, i.erased_at
from invite.invitations as i;
comment on view invite.invitation_overview is 'Invitations without their link tokens.';
