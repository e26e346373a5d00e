/*
 * For callers that may only execute functions; otherwise a plain update does the same.
 */
create or replace function invite.set_survey_state(survey_id text, state invite.survey_state) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_state.survey_id);
  update invite.surveys as s set state = set_survey_state.state where s.id = set_survey_state.survey_id;
end
$$;
comment on function invite.set_survey_state(text, invite.survey_state) is
  'Changes a survey''s state; when it becomes active, waiting invitations are requeued.';
