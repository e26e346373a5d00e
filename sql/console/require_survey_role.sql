/*
 * require_role for the workspace of a survey. Raises: P0002 for a survey that does not exist or is of another's workspace, 42501.
 */
create or replace function invite.require_survey_role(session_hash bytea, survey_id text, least_role invite.member_role) returns text
language plpgsql stable
as $$
begin
  return invite.require_role(
    require_survey_role.session_hash,
    (select s.workspace_id from invite.surveys as s where s.id = require_survey_role.survey_id),
    require_survey_role.least_role);
end
$$;
comment on function invite.require_survey_role(bytea, text, invite.member_role) is
  'The address of who uses a session, if that person has at least this role in the survey''s workspace; raises P0002 or 42501 otherwise.';
