/*
 * translation: all texts in that language, in the form of surveys.translations; null removes them.
 * checked, saw: as for translation_originals. Of a draft that nobody sees yet, the originals are those of its edited questions.
 * Locks: the survey. Raises: P0002, 23514 (surveys_translations_form, with the place in its detail).
 */
create or replace function invite.set_survey_translation(
  survey_id text, language text, translation jsonb, checked text[] default '{}', saw jsonb default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_translation.survey_id);
  update invite.surveys as s
  set
    translations = case
      when set_survey_translation.translation is null then nullif(s.translations - set_survey_translation.language, '{}')
      else coalesce(s.translations, '{}') || jsonb_build_object(set_survey_translation.language, set_survey_translation.translation)
    end,
    translated_from = case
      when set_survey_translation.translation is null then nullif(s.translated_from - set_survey_translation.language, '{}')
      else coalesce(s.translated_from, '{}') || jsonb_build_object(
        set_survey_translation.language,
        invite.translation_originals(
          jsonb_populate_record(s, coalesce((
            select jsonb_build_object('questions', d.questions)
            from invite.question_drafts as d
            where d.survey_id = s.id and d.replaced_at is null and s.state = 'draft'), '{}')),
          set_survey_translation.language, set_survey_translation.translation, set_survey_translation.checked, set_survey_translation.saw))
    end
  where s.id = set_survey_translation.survey_id;
end
$$;
comment on function invite.set_survey_translation(text, text, jsonb, text[], jsonb) is 'Sets or removes the translation of a survey into one language.';
