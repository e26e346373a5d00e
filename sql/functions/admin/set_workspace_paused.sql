/*
 * Does for a workspace what set_sending_paused does for everyone. Raises: P0002 if there is no such workspace.
 */
create or replace function invite.set_workspace_paused(workspace_id text, paused boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(set_workspace_paused.workspace_id);
  update invite.workspaces as x
  set paused_at = case when set_workspace_paused.paused then invite.clock() end
  where x.id = set_workspace_paused.workspace_id and set_workspace_paused.paused <> (x.paused_at is not null);
end
$$;
comment on function invite.set_workspace_paused(text, boolean) is 'Pauses or resumes sending for a workspace, while requests are accepted.';
