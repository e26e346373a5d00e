/*
 * What a page of a survey shows around its content. Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.survey_frame(session_hash bytea, survey_id text, least_role invite.member_role) returns invite.survey_frame
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email text := invite.require_survey_role(survey_frame.session_hash, survey_frame.survey_id, survey_frame.least_role);
  v_frame invite.survey_frame;
begin
  select s.id, s.title, s.state, w.id, w.name, m.role, invite.hold_reason(s, w, p) into v_frame
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  join invite.members as m on m.workspace_id = w.id and m.email = v_email
  where s.id = survey_frame.survey_id;
  return v_frame;
end
$$;
comment on function invite.survey_frame(bytea, text, invite.member_role) is 'What a page of a survey shows around its content.';
