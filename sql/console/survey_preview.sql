/*
 * The draft's texts decide in which languages the page exists, as those of the published questions do in survey_page. They may be invalid, so the page
 * leaves out what it can't show. Null as a language: the survey's.
 */
create function console.survey_preview(session_hash bytea, survey_id text, language text default null) returns invite.survey_page
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_page invite.survey_page;
  v_survey invite.surveys;
  v_languages text[];
  v_tag text;
begin
  perform console.require_survey_role(survey_preview.session_hash, survey_preview.survey_id, 'editor');
  select p.* into v_page from invite.survey_page(survey_preview.survey_id, null, null, survey_preview.language) as p;
  select s.* into v_survey from invite.surveys as s where s.id = survey_preview.survey_id;
  select coalesce(jsonb_agg(q.value order by q.ordinality) filter (where not coalesce(q.value @> '{"removed": true}', false)), '[]') into v_page.questions
  from jsonb_array_elements(coalesce((
    select d.questions from invite.question_drafts as d where d.survey_id = survey_preview.survey_id and d.replaced_at is null), v_page.questions))
    with ordinality as q;
  v_languages := invite.page_languages(v_survey, v_page.questions);
  v_tag := coalesce(invite.nearest_language(array[survey_preview.language], v_languages, v_survey.language), v_survey.language);
  v_page.languages := v_survey.language || array_remove(v_languages, v_survey.language);
  v_page.translation := case when v_tag <> v_survey.language then jsonb_build_object('language', v_tag) || (v_survey.translations -> v_tag) end;
  v_page.translated := v_page.translation is not null or invite.is_translated(v_page.questions, v_page.thanks, v_page.button_label, null);
  return v_page;
end
$$;
comment on function console.survey_preview(bytea, text, text) is
  'What the survey page would show if the draft of its questions were published, to a reader of a language.';
