/*
 * For the command line and the product, before they list what a workspace knows about people. Raises: P0002.
 */
create or replace function invite.record_export(action invite.audit_action, workspace_id text, subject text default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(record_export.workspace_id);
  if record_export.action not in ('answers_exported', 'addresses_exported') then
    raise exception '% is no export', record_export.action using errcode = '22023';
  end if;
  perform invite.record_access(record_export.workspace_id, invite.current_actor(), record_export.action, record_export.subject);
end
$$;
comment on function invite.record_export(invite.audit_action, text, text) is
  'Records in the audit log that answers or addresses are about to be read in bulk.';
