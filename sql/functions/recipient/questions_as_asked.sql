create or replace function invite.questions_as_asked(survey_id text, version integer) returns jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (
      select p.questions
      from invite.past_questions as p
      where p.survey_id = questions_as_asked.survey_id and p.version = questions_as_asked.version
    ),
    (select s.questions from invite.surveys as s where s.id = questions_as_asked.survey_id)
  )
$$;
comment on function invite.questions_as_asked(text, integer) is
  'The questions that responses with this questions_version answered; null if there is no such survey.';
