/*
 * A form that is submitted twice with the same token_id creates one token; the second submission raises 23505 trigger_tokens_pkey and shows
 * no second secret. See token_settings for the role that each setting takes.
 */
create function console.create_trigger_token(
  session_hash bytea, survey_id text, token_id uuid, name text, secret_hash bytea, secret_hint text, settings jsonb
) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(create_trigger_token.session_hash, create_trigger_token.survey_id, 'editor');
begin
  perform console.require_survey_role(create_trigger_token.session_hash, create_trigger_token.survey_id, r.least_role)
  from (
    select min(s.least_role) as least_role from invite.token_settings() as s where create_trigger_token.settings ? s.name
  ) as r
  where r.least_role < 'editor';
  perform console.require_recent_sign_in(create_trigger_token.session_hash);
  return invite.create_trigger_token(
    create_trigger_token.survey_id, create_trigger_token.name, create_trigger_token.secret_hash, create_trigger_token.secret_hint,
    create_trigger_token.settings, created_by => v_member.email, token_id => create_trigger_token.token_id);
end
$$;
comment on function console.create_trigger_token(bytea, text, uuid, text, bytea, text, jsonb) is
  'Creates a trigger token on behalf of an editor. Returns its id.';
