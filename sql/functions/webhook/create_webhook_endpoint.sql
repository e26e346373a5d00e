/*
 * types: null means all. secret: sealed by the caller for this endpoint_id, because the database must not see it. From now on the events of
 * the workspace are recorded.
 * A form that is submitted twice creates one endpoint; the second submission raises 23505 webhook_endpoints_pkey.
 * Raises: P0002 if there is no such workspace, 23514 webhook_endpoints_url_form, webhook_endpoints_many, webhook_endpoints_secret_sealed.
 */
create or replace function invite.create_webhook_endpoint(
  endpoint_id uuid, workspace_id text, url text, secret text, types invite.event_type[] default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints;
begin
  perform invite.set_workspace_events(create_webhook_endpoint.workspace_id, true);
  -- Each endpoint costs a row for every event.
  if (select count(*) from invite.webhook_endpoints as w where w.workspace_id = create_webhook_endpoint.workspace_id and w.deleted_at is null) >= 20 then
    raise exception 'at most twenty webhook endpoints (webhook_endpoints_many)' using errcode = '23514', constraint = 'webhook_endpoints_many';
  end if;
  insert into invite.webhook_endpoints as w (id, workspace_id, url, types, secret)
  values (
    create_webhook_endpoint.endpoint_id, create_webhook_endpoint.workspace_id, create_webhook_endpoint.url, create_webhook_endpoint.types,
    create_webhook_endpoint.secret)
  returning w.* into v_endpoint;
  perform invite.record_webhook_audit(v_endpoint, 'webhook_created');
end
$$;
comment on function invite.create_webhook_endpoint(uuid, text, text, text, invite.event_type[]) is
  'Creates a webhook endpoint of a workspace with a secret that the service has sealed.';
