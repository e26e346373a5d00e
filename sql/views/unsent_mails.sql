-- One reason for each, the first that holds. Of a mail that is due it is what the mail is held up by, in the order in which an operator
-- would look: its survey, its job, the workers, the relay. The job costs a look at all jobs, as in delivery_queue; all else is unsent_causes.
create or replace view invite.unsent_mails as
select
  u.id, u.workspace_id, u.survey_id, u.batch_id, u.email, u.mail, u.status,
  case
    when u.cause is not null then u.cause
    when q.job_locked_by is not null then 'its job is running'
    when u.blocked_by is not null then u.blocked_by
    when q.job_id is null then 'its job is lost: the sweep makes one'
    when q.job_run_at > clock_timestamp() then 'its job was put off'
    else 'its job is about to run'
  end as why,
  u.due_at, u.attempts, u.last_error_code, u.last_error, q.job_id,
  case when u.status = 'queued' then coalesce(q.job_run_at, u.sweep_at) end as next_look_at
from invite.unsent_causes as u
left join invite.delivery_queue as q on q.id = u.id;
comment on view invite.unsent_mails is
  'Each mail that has not left, why, and when it is looked at next (next_look_at: by its job or, without one, by the sweep). A reminder to come is here too.';
