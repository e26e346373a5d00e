-- What is due may be queued while its relay is paused, or the rate, which admit_sends writes with each claim, is used up.
-- What is held may be queued until the next claim. offset 0: what is overdue
-- is found by the sweep's index, not survey by survey.
create or replace view invite.broken_invariants as
select
  case when i.sweep_at > statement_timestamp() + interval '2 minutes' then 'queued_put_off' else 'queued_overdue' end::invite.broken_invariant as code,
  i.id as invitation_id, i.survey_id, i.due_at as since
from (
  select o.id, o.survey_id, o.due_at, o.sweep_at
  from invite.invitations as o
  where o.status = 'queued' and o.due_at <= statement_timestamp() - interval '1 minute'
  offset 0
) as i
cross join lateral (
  select invite.hold_reason(s, w, p, g) as hold_reason
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  cross join invite.settings as g
  where s.id = i.survey_id
  offset 0
) as s
where s.hold_reason is null
  and not exists (
    select from invite.relays as r
    where r.paused_until > statement_timestamp() or (r.allowance < 1 and r.allowance_at > statement_timestamp() - interval '1 minute')
  )
union all
select 'waiting_sendable', i.id, i.survey_id, i.due_at
from invite.awaiting_requeue as s
join invite.invitations as i on i.survey_id = s.survey_id and i.status = 'waiting'
union all
select 'sending_without_worker', i.id, i.survey_id, i.due_at
from invite.invitations as i
where i.status = 'sending' and not exists (
  select from invite.workers as w
  -- A minute for the others to take over.
  where w.id = i.worker_id
    and least(w.heartbeat_at, w.jobs_taken_at) > statement_timestamp() - (invite.lost_after_seconds() * interval '1 second' + interval '1 minute')
);
comment on view invite.broken_invariants is
  'Emails that are stuck: how (code), and since when they have been due. Empty, or healed within two minutes; what stays is a fault: see docs/operations.md.';
