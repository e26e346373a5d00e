create function console.duplicate_survey(session_hash bytea, survey_id text, new_id text, title text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(duplicate_survey.session_hash, duplicate_survey.survey_id, 'editor');
  perform invite.duplicate_survey(duplicate_survey.survey_id, duplicate_survey.new_id, duplicate_survey.title);
end
$$;
comment on function console.duplicate_survey(bytea, text, text, text) is
  'Creates a draft with the questions and settings of a survey on behalf of an editor. A form that is submitted twice with the same new_id '
  'creates one draft.';
