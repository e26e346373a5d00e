create or replace view invite.failed_invitations as
select
  i.id, m.survey_id, i.batch_id, i.email, m.message_kind, m.status, m.attempts, m.last_error_code, m.last_error, m.failed_at
from invite.messages as m
join invite.invitations as i on i.id = m.invitation_id
where m.status in ('failed', 'suppressed') and m.is_last;
comment on view invite.failed_invitations is 'Invitations and reminders that failed or were suppressed, with the error.';
