create function console.require_survey_role(session_hash bytea, survey_id text, min_role invite.member_role) returns invite.members
language plpgsql stable
as $$
begin
  return console.require_role(
    require_survey_role.session_hash,
    (select s.workspace_id from invite.surveys as s where s.id = require_survey_role.survey_id),
    require_survey_role.min_role);
end
$$;
comment on function console.require_survey_role(bytea, text, invite.member_role) is
  'The member who uses a session, if that person has at least this role in the survey''s workspace; raises P0002 or IT403 otherwise.';
