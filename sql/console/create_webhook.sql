create function console.create_webhook(
  session_hash bytea, workspace_id text, endpoint_id uuid, url text, types invite.event_type[]
) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(create_webhook.session_hash, create_webhook.workspace_id, 'admin');
  return (
    select c.secret
    from invite.create_webhook_endpoint(
      create_webhook.workspace_id, create_webhook.url, create_webhook.types, create_webhook.endpoint_id) as c);
end
$$;
comment on function console.create_webhook(bytea, text, uuid, text, invite.event_type[]) is
  'Creates a webhook endpoint on behalf of an owner or admin, and returns its secret.';
