/*
 * types: null means all. Only this function and rotate_webhook_secret return the secret. From now on the events of the workspace are
 * recorded.
 * endpoint_id: a form that is submitted twice creates one endpoint; the second submission raises 23505 webhook_endpoints_pkey.
 * Raises: P0002 if there is no such workspace, 23514 webhook_endpoints_url_form, webhook_endpoints_many.
 */
create or replace function invite.create_webhook_endpoint(
  workspace_id text, url text, types invite.event_type[] default null, endpoint_id uuid default null,
  out id uuid, out secret text
)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints;
begin
  perform invite.set_workspace_events(create_webhook_endpoint.workspace_id, true);
  -- Each endpoint costs a row for every event.
  if (select count(*) from invite.webhook_endpoints as w where w.workspace_id = create_webhook_endpoint.workspace_id and w.deleted_at is null) >= 20 then
    raise exception 'at most twenty webhook endpoints' using errcode = '23514', constraint = 'webhook_endpoints_many';
  end if;
  insert into invite.webhook_endpoints as w (id, workspace_id, url, types, secret)
  values (
    coalesce(create_webhook_endpoint.endpoint_id, gen_random_uuid()), create_webhook_endpoint.workspace_id, create_webhook_endpoint.url, create_webhook_endpoint.types, invite.new_webhook_secret())
  returning w.* into v_endpoint;
  perform invite.record_webhook_audit(v_endpoint, 'webhook_created');
  id := v_endpoint.id;
  secret := v_endpoint.secret;
end
$$;
comment on function invite.create_webhook_endpoint(text, text, invite.event_type[], uuid) is
  'Creates a webhook endpoint of a workspace, and returns its secret.';
