-- Reads graphile-worker's private tables, because its public view has no payload; graphile-worker's version is pinned exactly. If an
-- invitation has several jobs, the view shows the one that is running, else the one that runs first. It leaves out jobs that have used up
-- their attempts, because they never run again.
create or replace view invite.delivery_jobs as
select distinct on (invitation_id)
  l.invitation_id::bigint as invitation_id, j.id as job_id, j.run_at as job_run_at, j.locked_by as job_locked_by
from graphile_worker._private_jobs as j
join graphile_worker._private_tasks as t on t.id = j.task_id
cross join lateral json_array_elements_text(j.payload -> 'invitation_ids') as l (invitation_id)
where t.identifier = 'send_invitations' and (j.locked_by is not null or j.attempts < j.max_attempts)
order by invitation_id, j.locked_by, j.run_at, j.id;
comment on view invite.delivery_jobs is 'The job that sends an invitation''s next message. A query reads all jobs.';
