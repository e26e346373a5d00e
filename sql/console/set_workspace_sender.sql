create function console.set_workspace_sender(session_hash bytea, workspace_id text, settings jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(set_workspace_sender.session_hash, set_workspace_sender.workspace_id, 'admin');
begin
  perform invite.set_workspace_sender(set_workspace_sender.workspace_id, set_workspace_sender.settings, v_member.email);
end
$$;
comment on function console.set_workspace_sender(bytea, text, jsonb) is 'Changes the sender of a workspace''s emails on behalf of an owner or admin.';
