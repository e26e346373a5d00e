create or replace view invite.failed_invitations as
select
  i.id, i.survey_id, i.batch_id, i.email, i.message_kind, i.status, i.attempts, i.last_error_code, i.last_error, i.failed_at
from invite.invitations as i
where i.status in ('failed', 'suppressed');
comment on view invite.failed_invitations is 'Invitations and reminders that failed or were suppressed, with the error.';
