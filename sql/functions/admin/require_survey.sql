create or replace function invite.require_survey(survey_id text) returns void
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from invite.surveys as s where s.id = require_survey.survey_id) then
    raise exception 'there is no survey %', require_survey.survey_id using errcode = 'P0002';
  end if;
end
$$;
comment on function invite.require_survey(text) is 'Raises P0002 unless the survey exists.';
