/*
 * A form that is submitted twice with the same survey_id creates one survey; the second submission raises 23505 surveys_pkey.
 */
create function console.create_survey(session_hash bytea, workspace_id text, survey_id text, title text, questions jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(create_survey.session_hash, create_survey.workspace_id, 'editor');
  insert into invite.surveys (id, workspace_id, title, questions)
  values (create_survey.survey_id, create_survey.workspace_id, create_survey.title, create_survey.questions);
end
$$;
comment on function console.create_survey(bytea, text, text, text, jsonb) is 'Creates a draft on behalf of an editor.';
