create or replace view invite.failing_jobs as
select j.id, j.task, j.state, j.attempts, j.max_attempts, j.run_at, j.updated_at, j.workspace_id, j.survey_id, j.invitations, j.last_error
from invite.background_jobs as j
where j.last_error is not null;
comment on view invite.failing_jobs is
  'Jobs whose last attempt failed. Those with the state retrying run again at run_at; those with gave_up don''t, and are deleted after their '
  'retention.';
