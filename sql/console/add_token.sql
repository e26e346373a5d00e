/*
 * create_trigger_token on behalf of an editor. token_id is the form's: sent twice, it creates one token, and the second answer is no
 * second secret. Called by: the HTTP process.
 * Raises: P0002, 42501 (require_role), 23514 for a value out of range, 23505 trigger_tokens_pkey for a form that was sent before.
 */
create or replace function invite.add_token(
  session_hash bytea, survey_id text, token_id uuid, name text, secret_hash bytea, secret_hint text, cooldown_seconds integer
) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_actor text := invite.require_survey_role(add_token.session_hash, add_token.survey_id, 'editor');
begin
  return invite.create_trigger_token(
    add_token.survey_id, add_token.name, add_token.secret_hash, add_token.secret_hint, add_token.cooldown_seconds,
    created_by => v_actor, token_id => add_token.token_id);
end
$$;
comment on function invite.add_token(bytea, text, uuid, text, bytea, text, integer) is
  'Creates a trigger token on behalf of an editor. Returns its id.';
