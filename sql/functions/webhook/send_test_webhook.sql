/*
 * The event's type is webhook.test. Only this endpoint gets it. Raises: P0002.
 */
create or replace function invite.send_test_webhook(endpoint_id uuid) returns bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(send_test_webhook.endpoint_id);
  v_id bigint;
begin
  insert into invite.webhook_deliveries (endpoint_id, event_id, due_at)
  values (v_endpoint.id, gen_random_uuid(), invite.clock())
  returning id into v_id;
  perform invite.wake_webhooks();
  return v_id;
end
$$;
comment on function invite.send_test_webhook(uuid) is 'Sends a test event to an endpoint. Returns the delivery.';
