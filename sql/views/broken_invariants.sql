/*
 * A due email may stay queued while its relay is paused, or while the rate is used up, which admit_sends writes with each claim. A held email
 * may stay queued until the next claim. All others must leave or end within a minute. offset 0: the sweep's index finds overdue emails, not
 * survey by survey.
 */
create or replace view invite.broken_invariants as
select
  case when i.sweep_at > invite.now() + interval '2 minutes' then 'queued_put_off' else 'queued_overdue' end::invite.broken_invariant as code,
  i.id as invitation_id, i.survey_id, i.due_at as since, null::uuid as endpoint_id
from (
  select u.id, u.survey_id, u.due_at, u.sweep_at, u.unsent_reason
  from invite.unsent_causes as u
  where u.status = 'queued' and u.sweep_at < 'infinity' and u.due_at <= invite.now() - interval '1 minute'
    and (select r.paused_until is null and not r.is_rate_used or not r.is_alive from invite.sending_now(invite.now()) as r)
  offset 0
) as i
where invite.verdict_of(i.unsent_reason) in ('never', 'leave') or i.unsent_reason = 'no_worker'
union all
select 'waiting_sendable', i.invitation_id, i.survey_id, i.not_before, null
from invite.awaiting_requeue as s
join invite.messages as i on i.survey_id = s.survey_id and i.status = 'waiting'
union all
select 'sending_without_worker', i.invitation_id, i.survey_id, i.not_before, null
from invite.messages as i
where i.status = 'sending' and not exists (
  select from invite.workers as w
  -- The other workers have a minute to take over.
  where w.id = i.worker_id
    and least(w.heartbeat_at, w.jobs_taken_at) > invite.now() - (invite.lost_after_seconds() * interval '1 second' + interval '1 minute')
)
union all
select 'event_unpublished', n.invitation_id, n.survey_id, n.written_at, null
from invite.new_events as n
where n.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'new_events') and n.written_at <= invite.now() - interval '1 minute'
union all
select 'webhook_overdue', null, null, d.due_at, w.id
from invite.webhook_endpoints as w
cross join lateral (
  select x.due_at from invite.webhook_deliveries as x where x.endpoint_id = w.id and x.status = 'pending' order by x.due_at limit 1
) as d
where w.paused_at is null and w.disabled_at is null and d.due_at <= invite.now() - interval '1 minute'
  -- While the workspace has deliveries that are being sent, others may wait for their turn behind slow endpoints.
  and not exists (
    select from invite.webhook_endpoints as o
    join invite.webhook_deliveries as l on l.endpoint_id = o.id
    where o.workspace_id = w.workspace_id and l.leased_until > invite.now()
  );
comment on view invite.broken_invariants is
  'Emails, events and webhooks that are stuck: how (code), and since when. Normally empty; rows disappear within two minutes. A row that stays '
  'is a fault: see docs/operations.md.';
