/*
 * old_copy: whether what is left of one that has moved is meant, too.
 *
 * Raises: P0002; IT503 if it moves to another database, or has moved.
 */
create or replace function invite.require_workspace(workspace_id text, old_copy boolean default false) returns void
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace invite.workspaces;
begin
  select w.* into v_workspace from invite.workspaces as w where w.id = require_workspace.workspace_id;
  if v_workspace.id is null then
    raise exception 'there is no workspace %', require_workspace.workspace_id using errcode = 'P0002';
  elsif v_workspace.moved_to is not null and not (
    require_workspace.old_copy and exists (select from invite.moved_workspaces as m where m.workspace_id = v_workspace.id)
  ) then
    perform invite.refuse_moved(v_workspace.id, v_workspace.moved_to);
  end if;
end
$$;
comment on function invite.require_workspace(text, boolean) is 'Raises P0002 unless the workspace exists, and IT503 if it is not here.';
