create function console.set_survey_translation(
  session_hash bytea, survey_id text, language text, translation jsonb, checked text[] default '{}', saw jsonb default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(set_survey_translation.session_hash, set_survey_translation.survey_id, 'editor');
  perform invite.set_survey_translation(
    set_survey_translation.survey_id, set_survey_translation.language, set_survey_translation.translation,
    set_survey_translation.checked, set_survey_translation.saw);
end
$$;
comment on function console.set_survey_translation(bytea, text, text, jsonb, text[], jsonb) is 'Sets or removes a translation of a survey on behalf of an editor.';
