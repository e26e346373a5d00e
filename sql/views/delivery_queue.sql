-- delivery_jobs has one row for each invitation, so the planner leaves the join out of a query that doesn't use the job's columns. The two
-- statuses are separate conditions, because each has a partial index.
create or replace view invite.delivery_queue as
select
  i.id, m.survey_id, i.batch_id, i.email, m.message_kind, m.status, m.not_before as due_at,
  greatest(invite.now() - m.not_before, interval '0') as overdue_by,
  m.attempts, m.last_error_code, m.last_error, m.worker_id,
  w.job_id, w.job_run_at, w.job_locked_by
from invite.messages as m
join invite.invitations as i on i.id = m.invitation_id
left join invite.delivery_jobs as w on w.invitation_id = m.invitation_id
where (m.status = 'queued' and m.is_last or m.status = 'sending') and not invite.is_test(m.invitation_id);
comment on view invite.delivery_queue is
  'Emails that are queued or being sent: when they are due, how long they are overdue, after how many attempts, and by which job. No job: the '
  'sweep adds one; for a reminder that is a minute before it is due. Held emails are in waiting_invitations.';
