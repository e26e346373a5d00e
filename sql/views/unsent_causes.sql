-- Leaves out the jobs, which unsent_messages adds, so that lists stay fast no matter how many jobs there are. Emails that are being sent
-- have their own condition, because they aren't in the list index. offset 0: the reason is computed once for each row, and the suppression
-- is looked up for each row, no matter how long the workspace's list is. The workers are read once: a
-- subquery of its own.
create or replace view invite.unsent_causes as
select
  i.id, s.workspace_id, m.survey_id, i.batch_id, i.email, m.message_kind, m.status, u.unsent_reason,
  case when u.unsent_reason = 'held' then s.hold_reason end as hold_reason,
  case when u.unsent_reason = 'suppressed' then p.reason end as suppression_reason,
  case when u.unsent_reason = 'suppressed' then p.created_at end as suppressed_at,
  case when u.unsent_reason = 'relay_paused' then (r.sending).relay end as relay, case when u.unsent_reason = 'relay_paused' then (r.sending).code end as relay_code,
  invite.unsent_reason_in_words(u.unsent_reason, s.hold_reason, (r.sending).relay, case u.unsent_reason
    when 'suppressed' then p.reason::text when 'relay_paused' then (r.sending).code else m.last_error_code end) as in_words,
  m.not_before as due_at, m.attempts, m.last_error_code, m.last_error, m.sweep_at
from invite.messages as m
join invite.invitations as i on i.id = m.invitation_id
join invite.batches as b on b.id = i.batch_id
join invite.survey_overview as s on s.id = m.survey_id
left join lateral (
  select l.reason, l.created_at
  from invite.suppressions as l
  where l.workspace_id = s.workspace_id and l.email = lower(i.email)
  offset 0
) as p on true
cross join (select (select invite.sending_now(invite.now())) as sending offset 0) as r
cross join lateral (
  select invite.departure_reason(
    m, i.responded_at, p.reason is not null, b.rejected_kind, s.hold_reason is not null,
    r.sending, invite.now()) as unsent_reason
  offset 0
) as u
where m.status in ('queued', 'waiting', 'failed', 'suppressed', 'cancelled', 'skipped') and m.is_last or m.status = 'sending';
comment on view invite.unsent_causes is
  'The cause that holds back each unsent email, without a look at its job: a code (unsent_reason), its details, and a sentence. Lists read it; '
  'unsent_messages also looks at the job.';
