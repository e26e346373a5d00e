create type console.survey_settings as (
  title text, public_url text, open_responses boolean, thanks text, questions jsonb, questions_version integer, is_asked boolean,
  responses integer, past_ids text[], language text,
  translations jsonb, translated_from jsonb, button_label text, button_url text
);
comment on type console.survey_settings is
  'The settings of a survey that an editor may change. is_asked: its questions are kept when they change, because the survey is open or has '
  'responses. responses: counted up to max_responses. past_ids: the ids of all questions that it has asked.';

create function console.survey_settings(session_hash bytea, survey_id text, max_responses integer default 10001) returns console.survey_settings
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(survey_settings.session_hash, survey_settings.survey_id, 'editor');
  return (
    select
      row(
        s.title, s.public_url, s.open_responses, s.thanks, s.questions, s.questions_version, s.state <> 'draft' or r.number > 0, r.number,
        array(
          select distinct q.value ->> 'id'
          from invite.past_questions as p
          cross join lateral jsonb_array_elements(p.questions) as q
          where p.survey_id = s.id),
        s.language, s.translations, s.translated_from, s.button_label, s.button_url
      )::console.survey_settings
    from invite.surveys as s
    cross join lateral (
      select count(*)::integer as number
      from (select from invite.responses as x where x.survey_id = s.id limit survey_settings.max_responses) as n
    ) as r
    where s.id = survey_settings.survey_id);
end
$$;
comment on function console.survey_settings(bytea, text, integer) is 'The settings of a survey that an editor may change.';
