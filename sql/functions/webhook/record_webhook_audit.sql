/*
 * Names the endpoint by its host only, because the rest of the URL may contain a secret.
 */
create or replace function invite.record_webhook_audit(endpoint invite.webhook_endpoints, action invite.audit_action) returns void
language sql volatile
as $$
  select invite.record_audit(
    (record_webhook_audit.endpoint).workspace_id, invite.current_actor(), record_webhook_audit.action,
    substring((record_webhook_audit.endpoint).url from '//([^/?#]+)'),
    jsonb_build_object('endpoint', (record_webhook_audit.endpoint).id))
$$;
comment on function invite.record_webhook_audit(invite.webhook_endpoints, invite.audit_action) is
  'Records a change to a webhook endpoint in the audit log.';
