create or replace function invite.clock_of_survey(survey_id text, at timestamptz default null) returns timestamptz
language plpgsql volatile
as $$
begin
  return invite.clock_of((select s.workspace_id from invite.surveys as s where s.id = clock_of_survey.survey_id), clock_of_survey.at);
end
$$;
comment on function invite.clock_of_survey(text, timestamptz) is 'The time that was given or, if none was, the present time in a survey''s workspace.';
