/*
 * before: the translation into this language that the editor's change is made on; an empty object: there was none; null: whatever there is.
 * Returns false, and saves nothing, if it is another one now: the caller reads it again.
 * Locks: the survey.
 */
create function console.set_survey_translation(
  session_hash bytea, survey_id text, language text, translation jsonb, checked text[] default '{}', saw jsonb default null, before jsonb default null
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now jsonb;
begin
  perform console.require_survey_role(set_survey_translation.session_hash, set_survey_translation.survey_id, 'editor');
  select s.translations -> set_survey_translation.language into v_now
  from invite.surveys as s
  where s.id = set_survey_translation.survey_id
  for no key update;
  if set_survey_translation.before <> coalesce(v_now, '{}') then
    return false;
  end if;
  perform invite.set_survey_translation(
    set_survey_translation.survey_id, set_survey_translation.language, set_survey_translation.translation,
    set_survey_translation.checked, set_survey_translation.saw);
  return true;
end
$$;
comment on function console.set_survey_translation(bytea, text, text, jsonb, text[], jsonb, jsonb) is
  'Sets or removes a translation of a survey on behalf of an editor, unless others have changed it meanwhile.';
