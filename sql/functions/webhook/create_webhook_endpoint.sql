/*
 * types: null means all. format slack: url is what may be shown of the address, and secret the address. secret: sealed by the caller for this
 * endpoint_id, because the database must not see it. From now on the events of the workspace are recorded.
 * A form that is submitted twice creates one endpoint; the second submission raises 23505 webhook_endpoints_pkey.
 * Raises: P0002 if there is no such workspace, or it has no such survey; 23514 webhook_endpoints_url_form, webhook_endpoints_many,
 * webhook_endpoints_secret_sealed, webhook_endpoints_below_range, webhook_endpoints_slack_in_test.
 */
create or replace function invite.create_webhook_endpoint(
  endpoint_id uuid, workspace_id text, url text, secret text, types invite.event_type[] default null, survey_id text default null,
  format invite.webhook_format default 'events', below integer default null
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
  if create_webhook_endpoint.format = 'slack'
    and exists (select from invite.workspaces as w where w.id = create_webhook_endpoint.workspace_id and w.test_of is not null)
  then
    raise exception 'a test workspace tells nobody (webhook_endpoints_slack_in_test)' using errcode = '23514', constraint = 'webhook_endpoints_slack_in_test';
  elsif create_webhook_endpoint.survey_id is not null and not exists (
    select from invite.surveys as s where s.id = create_webhook_endpoint.survey_id and s.workspace_id = create_webhook_endpoint.workspace_id
  ) then
    raise exception 'workspace % has no survey %', create_webhook_endpoint.workspace_id, create_webhook_endpoint.survey_id using errcode = 'P0002';
  end if;
  insert into invite.webhook_endpoints as w (id, workspace_id, url, types, secret, survey_id, format, below)
  values (
    create_webhook_endpoint.endpoint_id, create_webhook_endpoint.workspace_id, create_webhook_endpoint.url, create_webhook_endpoint.types,
    create_webhook_endpoint.secret, create_webhook_endpoint.survey_id, create_webhook_endpoint.format, create_webhook_endpoint.below)
  returning w.* into v_endpoint;
  perform invite.record_webhook_audit(v_endpoint, 'webhook_created');
end
$$;
comment on function invite.create_webhook_endpoint(uuid, text, text, text, invite.event_type[], text, invite.webhook_format, integer) is
  'Creates a webhook endpoint of a workspace with a secret that the service has sealed.';
