create function console.wording_errors(session_hash bytea, workspace_id text, words jsonb) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(wording_errors.session_hash, wording_errors.workspace_id, 'admin');
  return invite.wording_errors(wording_errors.words);
end
$$;
comment on function console.wording_errors(bytea, text, jsonb) is 'What set_wording would refuse of these texts, for owners and admins.';
