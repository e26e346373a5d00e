-- Computed from the invitations and the clock, because every settle would lock a counter row.
create or replace view invite.batch_overview as
select
  b.id, b.workspace_id, b.survey_id, b.trigger_token_id, b.accepted_at, b.scheduled_at, b.recipients, b.reminders, b.metadata,
  case
    when c.sending > 0 or (c.queued > c.deferred and c.sent > 0) then 'sending'
    when c.queued > c.deferred and b.scheduled_at > coalesce((select w.test_now from invite.workspaces as w where w.id = b.workspace_id), invite.now()) then 'scheduled'
    when c.queued > c.deferred then 'queued'
    when c.waiting > 0 then 'waiting'
    when c.deferred > 0 then 'deferred'
    when c.cancelled > 0 and c.sent + c.failed = 0 then 'cancelled'
    when c.skipped > 0 and c.sent + c.failed + c.suppressed = 0 then 'skipped'
    when c.failed + c.suppressed > 0 and c.sent = 0 then 'failed'
    when c.failed > 0 then 'partly_failed'
    else 'sent'
  end as status,
  c.queued, c.waiting, c.sending, c.sent, c.failed, c.suppressed, c.cancelled, c.skipped, c.reminders_pending, c.reminded, c.responded,
  c.reminders_failed, c.deferred, o.delivered, o.bounced, o.complained, o.unsubscribed
from invite.batches as b
cross join lateral (
  select
    (count(*) filter (where f.status = 'queued'))::integer as queued,
    (count(*) filter (where f.status = 'queued' and f.rule is not null))::integer as deferred,
    (count(*) filter (where f.status = 'waiting'))::integer as waiting,
    (count(*) filter (where f.status = 'sending'))::integer as sending,
    (count(*) filter (where f.status in ('sent', 'answered')))::integer as sent,
    (count(*) filter (where f.status = 'failed'))::integer as failed,
    (count(*) filter (where f.status = 'suppressed'))::integer as suppressed,
    (count(*) filter (where f.status = 'cancelled'))::integer as cancelled,
    (count(*) filter (where f.status = 'skipped'))::integer as skipped,
    (count(*) filter (where l.status in ('queued', 'waiting', 'sending')))::integer as reminders_pending,
    (count(*) filter (where r.sent_at is not null))::integer as reminded,
    (count(*) filter (where i.responded_at is not null))::integer as responded,
    (count(*) filter (where l.status = 'failed'))::integer as reminders_failed
  from invite.invitations as i
  join invite.messages as f on f.invitation_id = i.id and f.number = 0
  left join invite.messages as l on not f.is_last and l.invitation_id = i.id and l.is_last
  left join lateral (select max(x.sent_at) as sent_at from invite.messages as x where not f.is_last and x.invitation_id = i.id and x.number > 0) as r on true
  where i.batch_id = b.id
) as c
-- A left join, so that who doesn't ask for these doesn't pay for them.
left join lateral (
  select
    (count(*) filter (where x.outcome = 'delivered'))::integer as delivered,
    (count(*) filter (where x.outcome = 'bounced'))::integer as bounced,
    (count(*) filter (where x.outcome = 'complained'))::integer as complained,
    (count(*) filter (where x.outcome = 'unsubscribed'))::integer as unsubscribed
  from invite.invitations as i
  cross join lateral (select y.outcome from invite.invitation_outcomes as y where y.invitation_id = i.id offset 0) as x
  where i.batch_id = b.id
) as o on true;
comment on view invite.batch_overview is
  'Batches with their derived status (scheduled, queued, waiting, deferred, sending, sent, partly_failed, failed, cancelled, skipped) and counts of recipients. '
  'The columns from queued to skipped count invitations and add up to recipients; reminders are counted separately. '
  'deferred: those of the queued that a rule about when emails leave has put off.';
