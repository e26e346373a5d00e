-- Leaves out the jobs, which unsent_messages adds, so that lists stay fast no matter how many jobs there are. Emails that are being sent
-- have their own condition, because they aren't in the list index. offset 0: the reason is computed once for each row, and the suppression
-- is looked up for each row, no matter how long the workspace's list is.
create or replace view invite.unsent_causes as
select
  i.id, s.workspace_id, m.survey_id, i.batch_id, i.email, m.message_kind, m.status, u.unsent_reason,
  case when u.unsent_reason = 'held' then s.hold_reason end as hold_reason,
  case when u.unsent_reason = 'suppressed' then p.reason end as suppression_reason,
  case when u.unsent_reason = 'suppressed' then p.created_at end as suppressed_at,
  r.id as relay, r.code as relay_code,
  invite.unsent_reason_in_words(u.unsent_reason, s.hold_reason, r.id, case u.unsent_reason
    when 'suppressed' then p.reason::text when 'relay_paused' then r.code else m.last_error_code end) as in_words,
  m.not_before as due_at, m.attempts, m.last_error_code, m.last_error, m.sweep_at
from invite.messages as m
join invite.invitations as i on i.id = m.invitation_id
join invite.survey_overview as s on s.id = m.survey_id
left join lateral (
  select l.reason, l.created_at
  from invite.suppressions as l
  where l.workspace_id = s.workspace_id and l.email = lower(i.email)
  offset 0
) as p on true
left join lateral (
  select l.id, coalesce(l.code, l.condition::text) as code
  from invite.active_relays as l
  where l.paused_until > statement_timestamp()
  order by l.since
  limit 1
) as r on true
cross join lateral (
  select
    case
      when m.status = 'failed' then 'failed'::invite.unsent_reason
      when m.status = 'suppressed' then 'suppressed'
      when m.status = 'cancelled' then 'cancelled'
      when m.status = 'sending' then 'sending'
      when m.status = 'waiting' and s.hold_reason is null then 'requeueing'
      when m.status = 'waiting' then 'held'
      when m.not_before > statement_timestamp() and m.last_error_code is not null then 'retry_later'
      when m.not_before > statement_timestamp() then 'not_due'
      when s.hold_reason is not null then 'held'
      when not exists (select from invite.workers as w where least(w.heartbeat_at, w.jobs_taken_at) > statement_timestamp() - invite.lost_after_seconds() * interval '1 second') then 'no_worker'
      when r.id is not null then 'relay_paused'
      else 'ready'
    end as unsent_reason
  offset 0
) as u
where m.status in ('queued', 'waiting', 'failed', 'suppressed', 'cancelled') and m.is_last or m.status = 'sending';
comment on view invite.unsent_causes is
  'The cause that holds back each unsent email, without a look at its job: a code (unsent_reason), its details, and a sentence. Lists read it; '
  'unsent_messages also looks at the job.';
