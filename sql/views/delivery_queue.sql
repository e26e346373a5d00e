-- The jobs come from graphile-worker's private tables, as in send_jobs. Grouped by the invitation, so that the planner leaves the join out
-- of a query that doesn't ask for the job.
create or replace view invite.delivery_queue as
select
  i.id, i.survey_id, i.batch_id, i.email, i.message_kind, i.status, i.due_at,
  greatest(clock_timestamp() - i.due_at, interval '0') as overdue_by,
  i.attempts, i.last_error_code, i.last_error, i.worker_id,
  w.job_id, w.job_run_at, w.job_locked_by
from invite.invitations as i
left join (
  -- Of several the one that runs, or runs first.
  select
    l.invitation_id::bigint as invitation_id,
    (array_agg(j.id order by j.locked_by, j.run_at, j.id))[1] as job_id,
    (array_agg(j.run_at order by j.locked_by, j.run_at, j.id))[1] as job_run_at,
    (array_agg(j.locked_by order by j.locked_by, j.run_at, j.id))[1] as job_locked_by
  from graphile_worker._private_jobs as j
  join graphile_worker._private_tasks as t on t.id = j.task_id
  cross join lateral json_array_elements_text(j.payload -> 'invitation_ids') as l (invitation_id)
  where t.identifier = 'send_invitations' and (j.locked_by is not null or j.attempts < j.max_attempts)
  group by l.invitation_id::bigint
) as w on w.invitation_id = i.id
where i.status in ('queued', 'sending');
comment on view invite.delivery_queue is
  'What is queued or being sent: when it is due, how long overdue, after how many attempts, and by which job (none: the sweep makes one; '
  'for a reminder a minute before it is due). What is held is in waiting_invitations.';
