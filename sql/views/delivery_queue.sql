-- delivery_jobs has one row for each invitation, so the planner leaves the join out of a query that doesn't use the job's columns. The two
-- statuses are separate conditions, because each has a partial index.
create or replace view invite.delivery_queue as
select
  i.id, i.survey_id, i.batch_id, i.email, i.message_kind, i.status, i.due_at,
  greatest(statement_timestamp() - i.due_at, interval '0') as overdue_by,
  i.attempts, i.last_error_code, i.last_error, i.worker_id,
  w.job_id, w.job_run_at, w.job_locked_by
from invite.invitations as i
left join invite.delivery_jobs as w on w.invitation_id = i.id
where i.status = 'queued' or i.status = 'sending';
comment on view invite.delivery_queue is
  'Emails that are queued or being sent: when they are due, how long they are overdue, after how many attempts, and by which job. No job: the '
  'sweep adds one; for a reminder that is a minute before it is due. Held emails are in waiting_invitations.';
