create function console.set_wording(session_hash bytea, workspace_id text, language text, words jsonb, informal boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(set_wording.session_hash, set_wording.workspace_id, 'admin');
begin
  perform invite.set_wording(set_wording.workspace_id, set_wording.language, set_wording.words, set_wording.informal, v_member.email);
end
$$;
comment on function console.set_wording(bytea, text, text, jsonb, boolean) is
  'Changes what a workspace has recipients read in a language, on behalf of an owner or admin.';
