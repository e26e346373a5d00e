/*
 * The caller generates the secret, and passes its hash (the home of the workspace, and SHA-256) and a hint of at most eight characters. So the
 * secret never reaches the database, its logs or its statistics.
 * settings: as for update_trigger_token, which also says what is raised. A setting that is left out gets the table's default.
 * token_id: a form that is submitted twice creates one token; the second submission raises 23505 trigger_tokens_pkey.
 */
create or replace function invite.create_trigger_token(
  survey_id text,
  name text,
  secret_hash bytea,
  secret_hint text,
  settings jsonb default '{}',
  created_by text default null,
  token_id uuid default null
) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id uuid;
begin
  perform invite.require_survey(create_trigger_token.survey_id);
  insert into invite.trigger_tokens (id, survey_id, name, secret_hash, secret_hint, created_by)
  values (
    coalesce(create_trigger_token.token_id, gen_random_uuid()), create_trigger_token.survey_id, create_trigger_token.name,
    create_trigger_token.secret_hash, create_trigger_token.secret_hint, create_trigger_token.created_by)
  returning id into v_id;
  perform invite.update_trigger_token(v_id, create_trigger_token.settings, actor => null);
  perform invite.record_audit(
    s.workspace_id, coalesce(create_trigger_token.created_by, 'cli'), 'token_created', create_trigger_token.name,
    jsonb_build_object('survey', s.title, 'hint', create_trigger_token.secret_hint))
  from invite.surveys as s
  where s.id = create_trigger_token.survey_id;
  return v_id;
end
$$;
comment on function invite.create_trigger_token(text, text, bytea, text, jsonb, text, uuid) is
  'Creates a trigger token from the hash of its secret. Returns its id.';
