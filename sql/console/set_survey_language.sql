create function console.set_survey_language(session_hash bytea, survey_id text, language text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(set_survey_language.session_hash, set_survey_language.survey_id, 'editor');
  perform invite.set_survey_language(set_survey_language.survey_id, set_survey_language.language);
end
$$;
comment on function console.set_survey_language(bytea, text, text) is 'Sets the language in which a survey is written, on behalf of an editor.';
