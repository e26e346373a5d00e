/*
 * A resumed endpoint gets the events of the pause. An endpoint that a 410 has disabled gets events again from then on. A call that changes nothing
 * records nothing. Raises: P0002.
 */
create or replace function invite.set_webhook_paused(endpoint_id uuid, paused boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(set_webhook_paused.endpoint_id);
begin
  if set_webhook_paused.paused = (v_endpoint.paused_at is not null) and (set_webhook_paused.paused or v_endpoint.disabled_at is null) then
    return;
  end if;
  update invite.webhook_endpoints as w
  set
    paused_at = case when set_webhook_paused.paused then invite.clock() end,
    disabled_at = case when set_webhook_paused.paused then w.disabled_at end, failing_since = null, warned_at = null
  where w.id = v_endpoint.id;
  if not set_webhook_paused.paused then
    perform invite.wake_webhooks();
  end if;
  perform invite.record_webhook_audit(
    v_endpoint, case when set_webhook_paused.paused then 'webhook_paused' else 'webhook_resumed' end::invite.audit_action);
end
$$;
comment on function invite.set_webhook_paused(uuid, boolean) is 'Pauses or resumes a webhook endpoint.';
