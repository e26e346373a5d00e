create function console.create_webhook(
  session_hash bytea, workspace_id text, endpoint_id uuid, url text, types invite.event_type[], secret text, survey_id text default null,
  format invite.webhook_format default 'events', below integer default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(create_webhook.session_hash, create_webhook.workspace_id, 'admin');
  perform console.require_recent_sign_in(create_webhook.session_hash);
  perform invite.create_webhook_endpoint(
    create_webhook.endpoint_id, create_webhook.workspace_id, create_webhook.url, create_webhook.secret, create_webhook.types,
    create_webhook.survey_id, create_webhook.format, create_webhook.below);
end
$$;
comment on function console.create_webhook(bytea, text, uuid, text, invite.event_type[], text, text, invite.webhook_format, integer) is
  'Creates a webhook endpoint on behalf of an owner or admin, with a secret that the web server has sealed.';
