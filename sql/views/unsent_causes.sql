-- Leaves out the jobs, which unsent_messages adds, so that lists stay fast no matter how many jobs there are. Emails that are being sent
-- have their own condition, because they aren't in the list index. offset 0: what is asked of each row is asked once, and looked up for that
-- row, no matter how long the workspace's list is. The workers are read once: a subquery of its own.
create or replace view invite.unsent_causes as
select
  i.id, w.id as workspace_id, m.survey_id, i.batch_id, i.email, m.message_kind, m.status, u.unsent_reason,
  case when u.unsent_reason = 'held' then h.hold_reason end as hold_reason,
  case when u.unsent_reason = 'suppressed' then p.reason end as suppression_reason,
  case when u.unsent_reason = 'suppressed' then p.created_at end as suppressed_at,
  case when u.unsent_reason = 'relay_paused' then (r.sending).relay end as relay, case when u.unsent_reason = 'relay_paused' then (r.sending).code end as relay_code,
  invite.unsent_reason_in_words(u.unsent_reason, h.hold_reason, (r.sending).relay, case u.unsent_reason
    when 'suppressed' then p.reason::text when 'relay_paused' then (r.sending).code else m.last_error_code end) as in_words,
  m.not_before as due_at,
  case when m.not_before is not null then (c.deadline).at end as leave_by,
  m.attempts, m.last_error_code, m.last_error, m.sweep_at
from invite.messages as m
join invite.invitations as i on i.id = m.invitation_id
join invite.batches as b on b.id = i.batch_id
join invite.surveys as s on s.id = m.survey_id
join invite.workspaces as w on w.id = s.workspace_id
join invite.plans as l on l.id = w.plan_id
cross join invite.settings as g
cross join lateral (select invite.hold_reason(s, w, l, g) as hold_reason offset 0) as h
left join lateral (
  select x.reason, x.created_at
  from invite.suppressions as x
  where x.workspace_id = w.id and x.email = lower(i.email)
  offset 0
) as p on true
cross join (select (select invite.sending_now(invite.now())) as sending offset 0) as o
cross join lateral (
  select coalesce(w.test_now, invite.now()) as now, case when w.test_now is null then o.sending else invite.sending_in_tests((o.sending).late_send_hours) end as sending
  offset 0
) as r
cross join lateral (
  -- As has_caps, which would be called for each row.
  select
    exists (select from invite.recipient_choices as x where x.workspace_id = w.id) as has_choices,
    exists (select from invite.caps as x where x.workspace_id = w.id) or w.test_of is null and exists (select from invite.shared_caps) as has_caps,
    (r.sending).late_send_hours
  offset 0
) as k
cross join lateral (select invite.rules_of(s, w, k.has_choices, k.late_send_hours, k.has_caps) as rules offset 0) as y
left join lateral (
  select
    invite.message_deadline(y.rules, m) as deadline,
    case when m.status = 'queued' and m.not_before <= r.now then
      invite.wait_of(y.rules, m, i.email, b.trigger_token_id, array[i.time_zone, b.time_zone], r.now)
    end as wait,
    invite.has_declined(y.rules, i.email) as declined
  where (y.rules).survey_id is not null
  offset 0
) as c on true
cross join lateral (
  select invite.departure_reason(
    m, i.responded_at, p.reason is not null, c.declined, b.rejected_kind, h.hold_reason is not null, c.deadline, c.wait, r.sending,
    r.now) as unsent_reason
  offset 0
) as u
where m.status in ('queued', 'waiting', 'failed', 'suppressed', 'cancelled', 'skipped') and m.is_last or m.status = 'sending';
comment on view invite.unsent_causes is
  'The cause that holds back each unsent email, without a look at its job: a code (unsent_reason), its details, and a sentence. Lists read it; '
  'unsent_messages also looks at the job.';
