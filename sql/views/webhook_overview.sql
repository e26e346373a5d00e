create or replace view invite.webhook_overview as
select
  w.id, w.workspace_id, w.url, w.types, w.paused_at, w.disabled_at, w.failing_since, w.warned_at, w.previous_secret_until as rotating_until, w.created_at,
  (select count(*) from invite.webhook_deliveries as d where d.endpoint_id = w.id and d.status = 'pending') as pending,
  (
    select count(*) from invite.webhook_deliveries as d
    where d.endpoint_id = w.id and d.status = 'failed' and d.attempted_at > invite.now() - interval '1 day'
  ) as failed,
  w.format, w.survey_id, w.below
from invite.webhook_endpoints as w
where w.deleted_at is null;
comment on view invite.webhook_overview is 'The webhook endpoints, without their secrets.';
