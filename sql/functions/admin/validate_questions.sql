create or replace function invite.validate_questions(questions jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select e from invite.question_errors(validate_questions.questions) as e limit 1
$$;
comment on function invite.validate_questions(jsonb) is
  'The first thing that is wrong with the questions of a survey, in the form of question_errors; null if nothing is.';
