create or replace view invite.delivery_queue as
select
  i.id, i.survey_id, i.batch_id, i.email, i.mail, i.status, i.due_at,
  greatest(clock_timestamp() - i.due_at, interval '0') as overdue_by,
  i.attempts, i.last_error_code, i.last_error, i.worker_id
from invite.invitations as i
where i.status in ('queued', 'sending');
comment on view invite.delivery_queue is
  'What is to be sent or is being sent: when, overdue by how long, after how many attempts. What is held is in waiting_invitations.';
