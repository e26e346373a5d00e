-- Without claim_id, by which a worker settles.
create or replace view invite.message_overview as
select
  m.invitation_id, m.number, m.survey_id, m.message_kind, m.status, m.due_at, m.not_before, m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at,
  m.unconfirmed_since, m.retried_at, m.attempts, m.rule, m.is_last, m.last_error_code, m.last_error, m.relay_message_id, m.worker_id
from invite.messages as m;
comment on view invite.message_overview is
  'Each email to each recipient, the invitation (number 0) and its reminders: its state, its times and its last error. Filter by invitation_id.';
