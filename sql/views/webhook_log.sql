create or replace view invite.webhook_log as
select
  d.id, d.endpoint_id, w.workspace_id, d.event_id, d.event_position, d.status, d.due_at, d.attempts, d.attempted_at, d.response_status,
  d.response_start, d.error_code, d.created_at,
  case
    when d.status <> 'pending' then null
    when w.disabled_at is not null then 'disabled'
    when w.paused_at is not null then 'paused'
    when d.leased_until > invite.now() then 'sending'
    when d.due_at <= invite.now() then 'due'
    else 'retry_later'
  end as pending_reason
from invite.webhook_deliveries as d
join invite.webhook_endpoints as w on w.id = d.endpoint_id and w.deleted_at is null;
comment on view invite.webhook_log is 'The deliveries to webhook endpoints, the endpoints'' responses, and why a pending delivery is pending.';
