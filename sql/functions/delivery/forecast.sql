/*
 * workspace, survey, looks_again: as pending_messages. time_zone: as sum_up_forecast.
 */
create or replace function invite.forecast(
  workspace invite.workspaces, survey invite.surveys, time_zone text, max_count integer, at timestamptz, looks_again boolean default false
) returns invite.forecast
language plpgsql stable
as $$
begin
  return invite.sum_up_forecast(
    array(
      select m from invite.forecast_messages(forecast.workspace, forecast.survey, forecast.max_count, forecast.at, forecast.looks_again) as m),
    forecast.workspace, forecast.time_zone, forecast.at);
end
$$;
comment on function invite.forecast(invite.workspaces, invite.surveys, text, integer, timestamptz, boolean) is
  'What of the pending messages of a survey or workspace will leave when, and what won''t, and why.';
