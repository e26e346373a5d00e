create or replace function invite.is_low_score(response_id bigint, below integer) returns boolean
language sql stable
as $$
  select exists (
    select from invite.responses as r
    cross join lateral invite.low_score(r.survey_id, r.questions_version, r.answers, is_low_score.below) as l
    where r.id = is_low_score.response_id and l.score is not null)
$$;
comment on function invite.is_low_score(bigint, integer) is 'Whether a response is told to a slack endpoint with this limit.';
