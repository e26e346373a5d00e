/*
 * Of the first max_count messages, as if the survey were active. Raises: P0002.
 */
create or replace function invite.forecast_survey(
  survey_id text, time_zone text default null, max_count integer default 100001, at timestamptz default null
) returns invite.forecast
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_survey invite.surveys;
  v_workspace invite.workspaces;
begin
  perform invite.require_survey(forecast_survey.survey_id);
  select s.* into v_survey from invite.surveys as s where s.id = forecast_survey.survey_id;
  select w.* into v_workspace from invite.workspaces as w where w.id = v_survey.workspace_id;
  return invite.forecast(
    v_workspace, v_survey, coalesce(forecast_survey.time_zone, v_survey.time_zone, v_workspace.time_zone), forecast_survey.max_count,
    invite.now_of(v_workspace.id, forecast_survey.at));
end
$$;
comment on function invite.forecast_survey(text, text, integer, timestamptz) is
  'What of a survey''s emails would leave when, and what wouldn''t, and why, if the survey were active now.';
