create type console.webhook as (
  id uuid, url text, types text[], paused_at timestamptz, disabled_at timestamptz, failing_since timestamptz, rotating_until timestamptz,
  created_at timestamptz, pending bigint, failed bigint
);
comment on type console.webhook is 'A webhook endpoint, without its secrets. pending, failed: events that it has not taken yet, and that were given up since yesterday.';

create function console.webhooks(session_hash bytea, workspace_id text, endpoint_id uuid default null, max_rows integer default 100)
returns setof console.webhook
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(webhooks.session_hash, webhooks.workspace_id, 'admin');
  return query
  select w.id, w.url, w.types::text[], w.paused_at, w.disabled_at, w.failing_since, w.rotating_until, w.created_at, w.pending, w.failed
  from invite.webhook_overview as w
  where w.workspace_id = webhooks.workspace_id and (webhooks.endpoint_id is null or w.id = webhooks.endpoint_id)
  order by w.created_at, w.id
  limit webhooks.max_rows;
end
$$;
comment on function console.webhooks(bytea, text, uuid, integer) is 'The webhook endpoints of a workspace, or one of them, for owners and admins.';
