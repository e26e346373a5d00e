/*
 * Messages of requests that were accepted before recording began stay unrecorded; their rows say so (records_events). Raises: P0002 if
 * there is no such workspace.
 */
create or replace function invite.set_workspace_events(workspace_id text, enabled boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(set_workspace_events.workspace_id);
  update invite.workspaces as w
  set records_events = set_workspace_events.enabled
  where w.id = set_workspace_events.workspace_id and w.records_events <> set_workspace_events.enabled;
end
$$;
comment on function invite.set_workspace_events(text, boolean) is 'Starts or stops recording what happens in a workspace as events.';
