-- Shows only the ids in the payload. Reads graphile-worker's private tables, because its public view has no payload.
create or replace view invite.background_jobs as
select
  j.id, t.identifier as task, j.priority, j.run_at, j.attempts, j.max_attempts, j.created_at, j.updated_at, j.locked_at, j.locked_by,
  case
    when j.locked_at is not null then 'running'
    when j.attempts >= j.max_attempts then 'gave_up'
    when j.attempts > 0 then 'retrying'
    when j.run_at > invite.now() then 'scheduled'
    else 'ready'
  end as state,
  j.payload ->> 'workspace_id' as workspace_id, j.payload ->> 'survey_id' as survey_id,
  coalesce(json_array_length(j.payload -> 'invitation_ids'), 0) as invitations,
  left(j.last_error, 1000) as last_error
from graphile_worker._private_jobs as j
join graphile_worker._private_tasks as t on t.id = j.task_id;
comment on view invite.background_jobs is 'The jobs of the workers. An email''s state is in its row: a lost job is replaced.';
