/*
 * secret: sealed by the caller for this endpoint.
 * seen: the previous_secret_until that the caller has seen, to the millisecond, so that a request which is sent twice doesn't end the secret that the
 * receiver has. infinity: whatever is present.
 * Raises: P0002; 23514 webhook_endpoints_secret_sealed, webhook_endpoints_address_secret, webhook_endpoints_secret_replaced.
 */
create or replace function invite.rotate_webhook_secret(
  endpoint_id uuid, secret text, keep_seconds integer default 86400, seen timestamptz default 'infinity'
) returns void
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
  where w.id = v_endpoint.id
    and (rotate_webhook_secret.seen = 'infinity'
      or date_trunc('milliseconds', w.previous_secret_until) is not distinct from rotate_webhook_secret.seen);
  if not found then
    raise exception 'the secret has been replaced already (webhook_endpoints_secret_replaced)'
      using errcode = '23514', constraint = 'webhook_endpoints_secret_replaced', table = 'webhook_endpoints', schema = 'invite';
  end if;
  perform invite.record_webhook_audit(v_endpoint, 'webhook_rotated');
end
$$;
comment on function invite.rotate_webhook_secret(uuid, text, integer, timestamptz) is
  'Gives an endpoint a new secret, sealed by the service. For this number of seconds requests are signed with both secrets.';
