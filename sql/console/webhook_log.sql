create type console.webhook_delivery as (
  id bigint, event_id uuid, type text, status invite.webhook_status, pending_reason text, attempts smallint, attempted_at timestamptz,
  due_at timestamptz, response_status smallint, response_start text, error_code text, created_at timestamptz
);
comment on type console.webhook_delivery is 'An event on its way to an endpoint. type: null if the event is no longer kept.';

create function console.webhook_log(
  session_hash bytea, workspace_id text, endpoint_id uuid, status invite.webhook_status, before_id bigint, max_rows integer
) returns setof console.webhook_delivery
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(webhook_log.session_hash, webhook_log.workspace_id, 'admin');
  return query
  select
    d.id, d.event_id,
    case when d.event_position is null then 'webhook.test' else (
      select e.type::text from invite.events as e where e.position = d.event_position
    ) end,
    d.status, d.pending_reason, d.attempts, d.attempted_at, d.due_at, d.response_status, d.response_start, d.error_code, d.created_at
  from invite.webhook_log as d
  where d.endpoint_id = webhook_log.endpoint_id and d.workspace_id = webhook_log.workspace_id
    and (webhook_log.status is null or d.status = webhook_log.status)
    and d.id < coalesce(webhook_log.before_id, 9223372036854775807)
  order by d.id desc
  limit webhook_log.max_rows;
end
$$;
comment on function console.webhook_log(bytea, text, uuid, invite.webhook_status, bigint, integer) is 'What was sent to an endpoint, the newest first.';
