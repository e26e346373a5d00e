create or replace function invite.set_workspace_suspended(workspace_id text, suspended boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(set_workspace_suspended.workspace_id);
  update invite.workspaces as w
  set suspended_at = case when set_workspace_suspended.suspended then coalesce(w.suspended_at, invite.clock()) end
  where w.id = set_workspace_suspended.workspace_id;
end
$$;
comment on function invite.set_workspace_suspended(text, boolean) is
  'Suspends or resumes a workspace. While it is suspended, trigger requests are rejected and due messages wait.';
