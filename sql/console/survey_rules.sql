create type console.survey_rules as (
  rest_days integer, open_hours int4multirange, closed_days datemultirange, time_zone text, max_delay_hours integer,
  own_time_zone text, own_max_delay_hours integer
);
comment on type console.survey_rules is
  'The rules about when a survey''s emails may leave: those of its workspace, and beside them its own.';

create function console.survey_rules(session_hash bytea, survey_id text) returns console.survey_rules
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(survey_rules.session_hash, survey_rules.survey_id, 'editor');
  return (
    select
      row(
        w.rest_days, w.open_hours, w.closed_days, w.time_zone, w.max_delay_hours, s.time_zone, s.max_delay_hours
      )::console.survey_rules
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    where s.id = survey_rules.survey_id);
end
$$;
comment on function console.survey_rules(bytea, text) is 'The rules about when a survey''s emails may leave, for editors.';
