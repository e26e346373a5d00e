create type console.survey_forecast as (at_once integer, later integer);
comment on type console.survey_forecast is 'How many messages would be sent at once if the survey were active now, and how many later.';

/*
 * For the confirmation before a survey is activated or closed. Messages to suppressed addresses are counted too, because a suppression is
 * looked up only when a message is about to be sent. Pins: index order.
 */
create function console.survey_forecast(
  session_hash bytea, survey_id text, max_count integer default 10000, at timestamptz default null
) returns console.survey_forecast
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set jit = off
as $$
declare
  v_now timestamptz := invite.now(invite.owner_time(survey_forecast.at));
  v_forecast console.survey_forecast;
begin
  perform console.require_survey_role(survey_forecast.session_hash, survey_forecast.survey_id, 'editor');
  select count(*) filter (where q.not_before <= v_now), count(*) filter (where q.not_before > v_now) into v_forecast
  from (
    (
      select m.not_before from invite.messages as m
      where m.survey_id = survey_forecast.survey_id and m.status = 'waiting'
      limit survey_forecast.max_count
    )
    union all
    (
      select m.not_before from invite.messages as m
      where m.survey_id = survey_forecast.survey_id and m.status = 'queued' and m.is_last
      limit survey_forecast.max_count
    )
  ) as q;
  return v_forecast;
end
$$;
comment on function console.survey_forecast(bytea, text, integer, timestamptz) is
  'What a survey would send if it were active now: at once, and later; each counted up to max_count.';
