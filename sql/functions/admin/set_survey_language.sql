create or replace function invite.set_survey_language(survey_id text, language text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_language.survey_id);
  update invite.surveys as s
  set language = set_survey_language.language
  where s.id = set_survey_language.survey_id and s.language is distinct from set_survey_language.language;
end
$$;
comment on function invite.set_survey_language(text, text) is 'Sets the language in which a survey and the texts of its tokens are written.';
