/*
 * prune_retained later deletes its deliveries, however many there are, and then its row. Raises: P0002.
 */
create or replace function invite.delete_webhook_endpoint(endpoint_id uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(delete_webhook_endpoint.endpoint_id);
begin
  update invite.webhook_endpoints as w
  set deleted_at = invite.clock(), disabled_at = coalesce(w.disabled_at, invite.clock()), failing_since = null
  where w.id = v_endpoint.id;
  perform graphile_worker.add_job('prune_expired');
  perform invite.record_webhook_audit(v_endpoint, 'webhook_deleted');
end
$$;
comment on function invite.delete_webhook_endpoint(uuid) is 'Deletes a webhook endpoint.';
