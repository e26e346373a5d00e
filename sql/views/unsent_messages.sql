-- Shows the first reason that applies, in the order in which an operator would look: survey, job, workers, relay. Reads all jobs.
create or replace view invite.unsent_messages as
select
  u.id, u.workspace_id, u.survey_id, u.batch_id, u.email, u.message_kind, u.status, u.reason as unsent_reason, u.hold_reason, u.suppression_reason,
  case when u.reason = u.unsent_reason then u.in_words else invite.unsent_reason_in_words(u.reason, null, null, null) end as in_words,
  u.due_at, u.leave_by, u.attempts, u.last_error_code, u.last_error, u.job_id, u.next_look_at
from (
  select
    r.*, q.job_id, case when r.status = 'queued' then coalesce(q.job_run_at, r.sweep_at) end as next_look_at,
    case
      when r.unsent_reason in ('no_worker', 'relay_paused', 'ready') and q.job_locked_by is not null then 'job_running'
      when r.unsent_reason <> 'ready' then r.unsent_reason
      -- A worker has the email in its list, or will get its job.
      when q.job_id is null and (r.sweep_at > invite.now() or (select (invite.sending_now(invite.now())).is_rate_used)) then 'ready'
      when q.job_id is null then 'job_lost'
      when q.job_run_at > invite.now() then 'job_postponed'
      else 'ready'
    end as reason
  from invite.unsent_causes as r
  left join invite.delivery_jobs as q on q.invitation_id = r.id and r.status in ('queued', 'sending')
) as u;
comment on view invite.unsent_messages is
  'Each email that hasn''t been sent, why (unsent_reason, with a sentence in in_words), and when a worker looks at it next (next_look_at: the '
  'time of its job or, without one, of the sweep). Includes reminders that are still to come.';
