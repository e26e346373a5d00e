create function console.set_workspace_paused(session_hash bytea, workspace_id text, paused boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(set_workspace_paused.session_hash, set_workspace_paused.workspace_id, 'admin');
  perform invite.set_workspace_paused(set_workspace_paused.workspace_id, set_workspace_paused.paused);
end
$$;
comment on function console.set_workspace_paused(bytea, text, boolean) is 'Pauses or resumes sending for a workspace on behalf of an owner or admin.';
