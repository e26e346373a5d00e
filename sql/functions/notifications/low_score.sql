/*
 * By the questions that were asked then, so that it stays the same when the survey changes.
 */
create or replace function invite.low_score(
  survey_id text, questions_version integer, answers jsonb, own_limit integer default null,
  out question text, out label text, out score integer, out highest integer, out below integer
)
language sql stable
as $$
  select k.question, k.label, k.score, k.highest, k.below
  from (
    select
      l.question, l.label, invite.score_of(low_score.answers, l.question) as score, l.highest, coalesce(low_score.own_limit, l.below) as below
    from invite.low_score_of(invite.questions_as_asked(low_score.survey_id, low_score.questions_version)) as l
  ) as k
  where k.score < k.below
$$;
comment on function invite.low_score(text, integer, jsonb, integer) is
  'The score of a response by the first question with one, if it is below own_limit; null: below what low_score_of says. Nulls: it isn''t low.';
