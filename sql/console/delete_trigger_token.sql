create function console.delete_trigger_token(session_hash bytea, survey_id text, token_id uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_token_editor(
    delete_trigger_token.session_hash, delete_trigger_token.survey_id, delete_trigger_token.token_id);
begin
  perform invite.delete_trigger_token(delete_trigger_token.token_id, v_member.email);
end
$$;
comment on function console.delete_trigger_token(bytea, text, uuid) is 'Deletes a trigger token on behalf of an editor.';
