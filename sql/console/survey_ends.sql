create type console.survey_ends as (link_days integer, response_limit integer, closes_at timestamptz, responses integer);
comment on type console.survey_ends is
  'What ends a survey and its links by itself. responses: how many count towards the limit, counted up to max_responses, or to the limit; null without one.';

create function console.survey_ends(session_hash bytea, survey_id text, max_responses integer default 10001) returns console.survey_ends
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(survey_ends.session_hash, survey_ends.survey_id, 'editor');
  return (
    select
      row(
        s.link_days, s.response_limit, s.closes_at,
        case when s.response_limit is not null then (
          select count(*)::integer
          from (select from invite.responses as r where r.survey_id = s.id limit greatest(survey_ends.max_responses, s.response_limit)) as counted
        ) end
      )::console.survey_ends
    from invite.surveys as s
    where s.id = survey_ends.survey_id);
end
$$;
comment on function console.survey_ends(bytea, text, integer) is 'What ends a survey and its links by itself.';
