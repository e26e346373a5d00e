/*
 * What a survey would send if it were active now, for the question before it is activated or closed: at once, and later by its due time.
 * Each is counted up to max_count. Suppressed addresses among them get nothing: that is decided when a mail is about to be sent.
 * Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_forecast(
  session_hash bytea, survey_id text, max_count integer default 10000, at timestamptz default null
) returns invite.survey_forecast
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $$
declare
  v_now timestamptz := coalesce(survey_forecast.at, clock_timestamp());
  v_forecast invite.survey_forecast;
begin
  perform invite.require_survey_role(survey_forecast.session_hash, survey_forecast.survey_id, 'editor');
  select count(*) filter (where q.due_at <= v_now), count(*) filter (where q.due_at > v_now) into v_forecast
  from (
    (
      select i.due_at from invite.invitations as i
      where i.survey_id = survey_forecast.survey_id and i.status = 'waiting'
      limit survey_forecast.max_count
    )
    union all
    (
      select i.due_at from invite.invitations as i
      where i.survey_id = survey_forecast.survey_id and i.status = 'queued'
      limit survey_forecast.max_count
    )
  ) as q;
  return v_forecast;
end
$$;
comment on function invite.survey_forecast(bytea, text, integer, timestamptz) is
  'What a survey would send if it were active now: at once, and later; each counted up to max_count.';
