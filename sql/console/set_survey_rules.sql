create function console.set_survey_rules(session_hash bytea, survey_id text, rules jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(set_survey_rules.session_hash, set_survey_rules.survey_id, 'editor');
  perform invite.set_survey_rules(set_survey_rules.survey_id, set_survey_rules.rules);
end
$$;
comment on function console.set_survey_rules(bytea, text, jsonb) is
  'Changes the given rules about when a survey''s emails may leave on behalf of an editor.';
