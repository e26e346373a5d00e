-- One reason for each, the first that holds. Of a mail that is due it is what the mail is held up by, in the order in which an operator
-- would look: its survey, its job, the workers, the relay. The job costs a look at all jobs, as in delivery_queue.
create or replace view invite.unsent_mails as
select
  i.id, s.workspace_id, i.survey_id, i.batch_id, i.email, i.mail, i.status,
  case
    when i.status = 'failed' then 'it has failed: ' || coalesce(i.last_error_code, 'unknown')
    when i.status = 'suppressed' then coalesce('the address is suppressed: ' || p.reason, 'the address was suppressed')
    when i.status = 'cancelled' then 'it was cancelled'
    when i.status = 'sending' then 'a worker has it'
    when i.status = 'waiting' then coalesce(s.held_because, 'it is about to be requeued')
    when i.due_at > clock_timestamp() and i.last_error_code is not null then 'it is tried again later: ' || i.last_error_code
    when i.due_at > clock_timestamp() then 'it is not due yet'
    when s.held_because is not null then s.held_because
    when q.job_locked_by is not null then 'its job is running'
    when not exists (select from invite.workers as w where w.heartbeat_at > clock_timestamp() - interval '50 seconds')
      then 'no worker lives'
    when r.id is not null then format('the relay %s is left alone: %s', r.id, coalesce(r.code, r.condition::text))
    when q.job_id is null then 'its job is lost: the sweep makes one'
    when q.job_run_at > clock_timestamp() then 'its job was put off'
    else 'its job is about to run'
  end as why,
  i.due_at, i.attempts, i.last_error_code, i.last_error, q.job_id,
  case when i.status = 'queued' then coalesce(q.job_run_at, i.sweep_at) end as next_look_at
from invite.invitations as i
join invite.survey_overview as s on s.id = i.survey_id
left join invite.delivery_queue as q on q.id = i.id
left join invite.suppressions as p on p.workspace_id = s.workspace_id and p.email = lower(i.email)
left join lateral (
  select l.* from invite.relays as l where l.paused_until > clock_timestamp() order by l.since limit 1
) as r on true
where i.status <> 'sent';
comment on view invite.unsent_mails is
  'Each mail that has not left, why, and when it is looked at next (next_look_at: by its job or, without one, by the sweep). A reminder to come is here too.';
