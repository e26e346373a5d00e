create function console.check_questions(session_hash bytea, survey_id text, questions jsonb) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(check_questions.session_hash, check_questions.survey_id, 'editor');
  return (select coalesce(jsonb_agg(e), '[]') from invite.question_errors(check_questions.questions) as e);
end
$$;
comment on function console.check_questions(bytea, text, jsonb) is
  'What is wrong with edited questions before an editor publishes them: a list, in the form of question_errors.';
