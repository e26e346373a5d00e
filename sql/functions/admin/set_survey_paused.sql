/*
 * Does for a survey what set_sending_paused does for everyone. Raises: P0002 if there is no such survey.
 */
create or replace function invite.set_survey_paused(survey_id text, paused boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey(set_survey_paused.survey_id);
  update invite.surveys as x
  set paused_at = case when set_survey_paused.paused then invite.clock() end
  where x.id = set_survey_paused.survey_id and set_survey_paused.paused <> (x.paused_at is not null);
end
$$;
comment on function invite.set_survey_paused(text, boolean) is 'Pauses or resumes sending for a survey, while requests are accepted.';
