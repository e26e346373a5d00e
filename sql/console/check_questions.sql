create function console.check_questions(session_hash bytea, survey_id text, questions jsonb) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(check_questions.session_hash, check_questions.survey_id, 'editor');
  return invite.validate_questions(check_questions.questions);
end
$$;
comment on function console.check_questions(bytea, text, jsonb) is
  'What is wrong with edited questions before an editor saves them, in the form of validate_questions.';
