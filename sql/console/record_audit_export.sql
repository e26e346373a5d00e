create function console.record_audit_export(session_hash bytea, workspace_id text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(record_audit_export.session_hash, record_audit_export.workspace_id, 'admin');
begin
  perform invite.record_access(v_member.workspace_id, v_member.email, 'audit_exported', null);
end
$$;
comment on function console.record_audit_export(bytea, text) is 'Records in the audit log that an owner or admin downloads it.';
