-- What is known without a look at the jobs, which unsent_mails adds: for lists that must stay fast however many jobs there are.
create or replace view invite.unsent_causes as
select
  i.id, s.workspace_id, i.survey_id, i.batch_id, i.email, i.mail, i.status,
  case
    when i.status = 'failed' then 'it has failed: ' || coalesce(i.last_error_code, 'unknown')
    when i.status = 'suppressed' then coalesce('the address is suppressed: ' || p.reason, 'the address was suppressed')
    when i.status = 'cancelled' then 'it was cancelled'
    when i.status = 'sending' then 'a worker has it'
    when i.status = 'waiting' then coalesce(s.in_words, 'it is about to be requeued')
    when i.due_at > clock_timestamp() and i.last_error_code is not null then 'it is tried again later: ' || i.last_error_code
    when i.due_at > clock_timestamp() then 'it is not due yet'
    else s.in_words
  end as cause,
  case
    when not exists (select from invite.workers as w where w.heartbeat_at > clock_timestamp() - interval '50 seconds')
      then 'no worker lives'
    when r.id is not null then format('the relay %s is left alone: %s', r.id, coalesce(r.code, r.condition::text))
  end as blocked_by,
  i.due_at, i.attempts, i.last_error_code, i.last_error, i.sweep_at
from invite.invitations as i
join invite.survey_overview as s on s.id = i.survey_id
left join invite.suppressions as p on p.workspace_id = s.workspace_id and p.email = lower(i.email)
left join lateral (
  select l.* from invite.relays as l where l.paused_until > clock_timestamp() order by l.since limit 1
) as r on true
where i.status <> 'sent';
comment on view invite.unsent_causes is
  'Each mail that has not left, and why, as far as its row and its survey say (cause; null: it may leave now) and what stops all mail '
  '(blocked_by). unsent_mails says it in one column, with the job.';
