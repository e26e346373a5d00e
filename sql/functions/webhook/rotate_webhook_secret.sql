/*
 * Raises: P0002.
 */
create or replace function invite.rotate_webhook_secret(endpoint_id uuid, keep_seconds integer default 86400) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(rotate_webhook_secret.endpoint_id);
  v_secret text := invite.new_webhook_secret();
begin
  update invite.webhook_endpoints as w
  set
    secret = v_secret, previous_secret = w.secret,
    previous_secret_until = invite.clock() + rotate_webhook_secret.keep_seconds * interval '1 second'
  where w.id = v_endpoint.id;
  perform invite.record_webhook_audit(v_endpoint, 'webhook_rotated');
  return v_secret;
end
$$;
comment on function invite.rotate_webhook_secret(uuid, integer) is
  'Gives an endpoint a new secret. For this number of seconds requests are signed with both secrets.';
