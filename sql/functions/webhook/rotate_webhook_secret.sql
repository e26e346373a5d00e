/*
 * secret: sealed by the caller for this endpoint.
 * Raises: P0002; 23514 webhook_endpoints_secret_sealed, webhook_endpoints_address_secret.
 */
create or replace function invite.rotate_webhook_secret(endpoint_id uuid, secret text, keep_seconds integer default 86400) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(rotate_webhook_secret.endpoint_id);
begin
  if v_endpoint.format = 'slack' then
    raise exception 'its secret is its address (webhook_endpoints_address_secret)'
      using errcode = '23514', constraint = 'webhook_endpoints_address_secret';
  end if;
  update invite.webhook_endpoints as w
  set
    secret = rotate_webhook_secret.secret, previous_secret = w.secret,
    previous_secret_until = invite.clock() + rotate_webhook_secret.keep_seconds * interval '1 second'
  where w.id = v_endpoint.id;
  perform invite.record_webhook_audit(v_endpoint, 'webhook_rotated');
end
$$;
comment on function invite.rotate_webhook_secret(uuid, text, integer) is
  'Gives an endpoint a new secret, sealed by the service. For this number of seconds requests are signed with both secrets.';
