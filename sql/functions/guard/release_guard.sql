/*
 * The person who releases it says why, for the audit log. From then on the guard counts only what is sent since. Locks: the workspace.
 * Raises: P0002 if there is no such workspace; 23514 workspaces_guard_note if the note is empty or longer than 1,000 characters.
 */
create or replace function invite.release_guard(workspace_id text, note text, at timestamptz default null) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace invite.workspaces;
  v_now timestamptz;
begin
  if coalesce(length(btrim(release_guard.note)), 0) not between 1 and 1000 then
    raise exception 'a release needs a note of at most 1000 characters (workspaces_guard_note)'
      using errcode = '23514', constraint = 'workspaces_guard_note', table = 'workspaces', schema = 'invite';
  end if;
  perform invite.require_workspace(release_guard.workspace_id);
  select w.* into v_workspace from invite.workspaces as w where w.id = release_guard.workspace_id for no key update;
  if v_workspace.guarded_at is null then
    return false;
  end if;
  v_now := invite.clock(invite.owner_time(release_guard.at));
  update invite.workspaces as w set guarded_at = null, guard_warned_at = null, guard_since = v_now where w.id = v_workspace.id;
  perform invite.record_audit(
    v_workspace.id, invite.current_actor(), 'guard_released', v_workspace.name, jsonb_build_object('note', btrim(release_guard.note)));
  perform invite.record_guard_events(v_workspace, 'survey.released', v_now);
  return true;
end
$$;
comment on function invite.release_guard(text, text, timestamptz) is
  'Lets the email of a workspace that the guard has paused leave again, and says why. Returns false if it wasn''t paused.';
