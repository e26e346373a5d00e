create function console.update_workspace(session_hash bytea, workspace_id text, name text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(update_workspace.session_hash, update_workspace.workspace_id, 'admin');
  perform invite.upsert_workspace(update_workspace.workspace_id, update_workspace.name);
end
$$;
comment on function console.update_workspace(bytea, text, text) is 'Renames a workspace on behalf of an owner or admin.';
