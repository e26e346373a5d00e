create or replace function invite.require_workspace(workspace_id text) returns void
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from invite.workspaces as w where w.id = require_workspace.workspace_id) then
    raise exception 'there is no workspace %', require_workspace.workspace_id using errcode = 'P0002';
  end if;
end
$$;
comment on function invite.require_workspace(text) is 'Raises P0002 unless the workspace exists.';
