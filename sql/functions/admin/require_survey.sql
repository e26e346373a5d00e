/*
 * old_copy: as require_workspace. Raises: P0002; IT503, as require_workspace.
 */
create or replace function invite.require_survey(survey_id text, old_copy boolean default false) returns void
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace text;
begin
  select s.workspace_id into v_workspace from invite.surveys as s where s.id = require_survey.survey_id;
  if v_workspace is null then
    raise exception 'there is no survey %', require_survey.survey_id using errcode = 'P0002';
  end if;
  perform invite.require_workspace(v_workspace, require_survey.old_copy);
end
$$;
comment on function invite.require_survey(text, boolean) is 'Raises P0002 unless the survey exists, and IT503 if its workspace is not here.';
