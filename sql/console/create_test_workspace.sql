/*
 * Raises: as invite.create_test_workspace.
 */
create function console.create_test_workspace(session_hash bytea, workspace_id text) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(create_test_workspace.session_hash, create_test_workspace.workspace_id, 'admin');
  return invite.create_test_workspace(create_test_workspace.workspace_id);
end
$$;
comment on function console.create_test_workspace(bytea, text) is
  'Creates a test workspace beside a workspace on behalf of an owner or admin. Returns its id.';
