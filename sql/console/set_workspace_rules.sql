create function console.set_workspace_rules(session_hash bytea, workspace_id text, rules jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(set_workspace_rules.session_hash, set_workspace_rules.workspace_id, 'admin');
  perform invite.set_workspace_rules(set_workspace_rules.workspace_id, set_workspace_rules.rules);
end
$$;
comment on function console.set_workspace_rules(bytea, text, jsonb) is
  'Changes the given rules about when a workspace''s emails may leave on behalf of an owner or admin.';
