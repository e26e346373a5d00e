create function console.workspace_sender(session_hash bytea, workspace_id text) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(workspace_sender.session_hash, workspace_sender.workspace_id, 'admin');
  return (select w.sender from invite.workspaces as w where w.id = workspace_sender.workspace_id);
end
$$;
comment on function console.workspace_sender(bytea, text) is 'The sender of a workspace''s emails, for owners and admins.';
