-- Without the jobs, which unsent_messages adds: for lists that stay fast however many jobs there are. clock_timestamp() in the inner query
-- keeps the planner from merging it with the outer one: the reason is computed once a row.
create or replace view invite.unsent_invitations as
select
  u.id, u.workspace_id, u.survey_id, u.batch_id, u.email, u.message_kind, u.status, u.unsent_reason,
  case when u.unsent_reason = 'held' then u.hold_reason end as hold_reason,
  case when u.unsent_reason = 'suppressed' then u.suppression_reason end as suppression_reason,
  case when u.unsent_reason = 'suppressed' then u.suppressed_at end as suppressed_at,
  u.relay, u.relay_code,
  invite.unsent_reason_in_words(u.unsent_reason, u.hold_reason, u.relay, case u.unsent_reason
    when 'suppressed' then u.suppression_reason::text when 'relay_paused' then u.relay_code else u.last_error_code end) as in_words,
  u.due_at, u.attempts, u.last_error_code, u.last_error, u.sweep_at
from (
  select
    i.*, s.workspace_id, s.hold_reason, p.reason as suppression_reason, p.created_at as suppressed_at,
    r.id as relay, coalesce(r.code, r.condition::text) as relay_code,
    case
      when i.status = 'failed' then 'failed'::invite.unsent_reason
      when i.status = 'suppressed' then 'suppressed'
      when i.status = 'cancelled' then 'cancelled'
      when i.status = 'sending' then 'sending'
      when i.status = 'waiting' and s.hold_reason is null then 'requeueing'
      when i.status = 'waiting' then 'held'
      when i.due_at > clock_timestamp() and i.last_error_code is not null then 'retry_later'
      when i.due_at > clock_timestamp() then 'not_due'
      when s.hold_reason is not null then 'held'
      when not exists (select from invite.workers as w where least(w.heartbeat_at, w.jobs_taken_at) > clock_timestamp() - invite.lost_after_seconds() * interval '1 second') then 'no_worker'
      when r.id is not null then 'relay_paused'
      else 'ready'
    end as unsent_reason
  from invite.invitations as i
  join invite.survey_overview as s on s.id = i.survey_id
  left join invite.suppressions as p on p.workspace_id = s.workspace_id and p.email = lower(i.email)
  left join lateral (
    select l.* from invite.relays as l where l.paused_until > clock_timestamp() order by l.since limit 1
  ) as r on true
  where i.status <> 'sent'
) as u;
comment on view invite.unsent_invitations is
  'Each email that hasn''t been sent and why, as far as its row, its survey, the workers and the relay say: a code (unsent_reason), what '
  'belongs to it, and a sentence. unsent_messages adds the job.';
