/*
 * As if the survey were active now: for the confirmation before it is activated, and for its page. time_zone: the reader's.
 */
create function console.survey_forecast(
  session_hash bytea, survey_id text, time_zone text default null, max_count integer default 100001, at timestamptz default null
) returns invite.forecast
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(survey_forecast.session_hash, survey_forecast.survey_id, 'editor');
  return invite.forecast_survey(
    survey_forecast.survey_id, survey_forecast.time_zone, survey_forecast.max_count, invite.owner_time(survey_forecast.at));
end
$$;
comment on function console.survey_forecast(bytea, text, text, integer, timestamptz) is
  'What of a survey''s emails would leave when, and what wouldn''t, and why, if it were active now.';
