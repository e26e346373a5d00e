-- From graphile-worker's private tables, because its public view has no payload; its version is pinned exactly. Of several jobs the one that
-- runs, or runs first. One that has used up its attempts never will.
create or replace view invite.delivery_jobs as
select distinct on (invitation_id)
  l.invitation_id::bigint as invitation_id, j.id as job_id, j.run_at as job_run_at, j.locked_by as job_locked_by
from graphile_worker._private_jobs as j
join graphile_worker._private_tasks as t on t.id = j.task_id
cross join lateral json_array_elements_text(j.payload -> 'invitation_ids') as l (invitation_id)
where t.identifier = 'send_invitations' and (j.locked_by is not null or j.attempts < j.max_attempts)
order by invitation_id, j.locked_by, j.run_at, j.id;
comment on view invite.delivery_jobs is 'The job that looks at an invitation. A query costs a look at all jobs.';
