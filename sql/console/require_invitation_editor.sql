create function console.require_invitation_editor(session_hash bytea, survey_id text, invitation_id bigint) returns invite.members
language plpgsql stable
as $$
declare
  v_member invite.members :=
    console.require_survey_role(require_invitation_editor.session_hash, require_invitation_editor.survey_id, 'editor');
begin
  if not exists (
    select from invite.invitations as i
    where i.id = require_invitation_editor.invitation_id and i.survey_id = require_invitation_editor.survey_id
  ) then
    raise exception 'there is no invitation % of this survey', require_invitation_editor.invitation_id using errcode = 'P0002';
  end if;
  return v_member;
end
$$;
comment on function console.require_invitation_editor(bytea, text, bigint) is
  'The member who uses a session, if that person is at least an editor of the survey, and the survey has the invitation; raises P0002 or IT403 '
  'otherwise.';
