/*
 * With a null actor nothing is recorded, because the change is part of another one, which has its own entry. Never pass a secret.
 */
create or replace function invite.record_audit(workspace_id text, actor text, action invite.audit_action, subject text, detail jsonb default '{}')
returns void
language sql volatile
as $$
  insert into invite.audit_log (workspace_id, actor, action, subject, detail)
  select
    record_audit.workspace_id, record_audit.actor, record_audit.action, record_audit.subject,
    jsonb_strip_nulls(record_audit.detail)
  where record_audit.actor is not null
$$;
comment on function invite.record_audit(text, text, invite.audit_action, text, jsonb) is 'Adds an entry to the audit log.';
