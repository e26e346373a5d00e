/*
 * Locks: the endpoint (for no key update). Raises: P0002; IT503, as require_workspace.
 */
create or replace function invite.require_webhook(endpoint_id uuid) returns invite.webhook_endpoints
language plpgsql volatile
as $$
declare
  v_endpoint invite.webhook_endpoints;
begin
  select w.* into v_endpoint
  from invite.webhook_endpoints as w
  where w.id = require_webhook.endpoint_id and w.deleted_at is null
  for no key update;
  if not found then
    raise exception 'there is no webhook endpoint %', require_webhook.endpoint_id using errcode = 'P0002';
  end if;
  perform invite.require_workspace(v_endpoint.workspace_id);
  return v_endpoint;
end
$$;
comment on function invite.require_webhook(uuid) is 'Locks a webhook endpoint and returns it.';
