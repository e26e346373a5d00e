create type console.test_workspace as (id text, name text, now timestamptz, created_at timestamptz);
comment on type console.test_workspace is 'A test workspace in the list of its real one. now: what its clock says.';

create function console.test_workspaces(session_hash bytea, workspace_id text) returns setof console.test_workspace
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(test_workspaces.session_hash, test_workspaces.workspace_id, 'admin');
  return query
    select w.id, w.name, w.test_now, w.created_at
    from invite.workspaces as w
    where w.test_of = test_workspaces.workspace_id
    order by w.created_at, w.id;
end
$$;
comment on function console.test_workspaces(bytea, text) is 'The test workspaces of a workspace, for owners and admins.';
