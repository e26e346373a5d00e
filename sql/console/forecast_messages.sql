create type console.forecast_message as (
  invitation_id bigint, email text, message_kind invite.message_kind, leaves_at timestamptz, reason invite.unsent_reason, others integer);
comment on type console.forecast_message is 'An email behind a number of a forecast. others: how many the list leaves out.';

/*
 * Those of the bar that begins at starts_at, in its unit and time zone; with a reason, those that it keeps from leaving.
 */
create function console.forecast_messages(
  session_hash bytea, survey_id text, starts_at timestamptz, unit text, time_zone text, reason invite.unsent_reason default null,
  max_rows integer default 50, max_count integer default 100001, at timestamptz default null
) returns setof console.forecast_message
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_zone constant text := invite.zone_of(forecast_messages.time_zone);
  v_survey invite.surveys;
  v_workspace invite.workspaces;
begin
  perform console.require_survey_role(forecast_messages.session_hash, forecast_messages.survey_id, 'editor');
  select s.* into v_survey from invite.surveys as s where s.id = forecast_messages.survey_id;
  select w.* into v_workspace from invite.workspaces as w where w.id = v_survey.workspace_id;
  return query
  with listed as (
    select m.invitation_id, m.number, m.leaves_at, m.reason, count(*) over () as found
    from invite.forecast_messages(
      v_workspace, v_survey, forecast_messages.max_count,
      invite.now_of(v_workspace.id, invite.owner_time(forecast_messages.at)), false) as m
    where case
      when forecast_messages.reason is not null then m.reason = forecast_messages.reason
      else date_trunc(forecast_messages.unit, m.leaves_at, v_zone) = forecast_messages.starts_at
    end
    order by m.leaves_at, m.invitation_id
    limit forecast_messages.max_rows
  )
  select
    l.invitation_id, i.email::text, case when l.number = 0 then 'invitation' else 'reminder' end::invite.message_kind, l.leaves_at, l.reason,
    greatest(l.found - forecast_messages.max_rows, 0)::integer
  from listed as l
  join invite.invitations as i on i.id = l.invitation_id
  order by l.leaves_at, l.invitation_id;
end
$$;
comment on function console.forecast_messages(bytea, text, timestamptz, text, text, invite.unsent_reason, integer, integer, timestamptz) is
  'The first emails behind a number of a survey''s forecast.';
