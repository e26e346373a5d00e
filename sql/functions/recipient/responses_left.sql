/*
 * Only for a survey with a limit: counts no more than that. Exact for a caller that holds the survey's row (lock_for_response).
 */
create or replace function invite.responses_left(survey invite.surveys) returns integer
language sql stable
as $$
  select survey.response_limit - count(*)::integer
  from (select from invite.responses as r where r.survey_id = survey.id limit survey.response_limit) as counted
$$;
comment on function invite.responses_left(invite.surveys) is 'How many more responses a survey takes, at least 0.';
