/*
 * Raises: as invite.release_guard; 23514 workspaces_guard_operator if members have released it within seven days.
 */
create function console.release_guard(session_hash bytea, workspace_id text, note text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace invite.workspaces;
begin
  perform console.require_role(release_guard.session_hash, release_guard.workspace_id, 'admin');
  select w.* into v_workspace from invite.workspaces as w where w.id = release_guard.workspace_id for no key update;
  if not console.may_release_guard(v_workspace, invite.clock()) then
    raise exception 'only the operator may release it again within seven days (workspaces_guard_operator)'
      using errcode = '23514', constraint = 'workspaces_guard_operator', table = 'workspaces', schema = 'invite';
  end if;
  return invite.release_guard(release_guard.workspace_id, release_guard.note);
end
$$;
comment on function console.release_guard(bytea, text, text) is
  'Lets the email of a workspace that the guard has paused leave again, on behalf of an owner or admin.';
