/*
 * delete_trigger_token on behalf of an editor. Called by: the HTTP process. Raises: P0002, 42501 (require_survey_token).
 */
create or replace function invite.remove_token(session_hash bytea, survey_id text, token_id uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_actor text := invite.require_survey_token(remove_token.session_hash, remove_token.survey_id, remove_token.token_id);
begin
  perform invite.delete_trigger_token(remove_token.token_id, v_actor);
end
$$;
comment on function invite.remove_token(bytea, text, uuid) is 'Deletes a trigger token on behalf of an editor.';
