create function console.require_upload_editor(session_hash bytea, survey_id text, upload_id uuid) returns invite.members
language plpgsql stable
as $$
declare
  v_member invite.members := console.require_survey_role(require_upload_editor.session_hash, require_upload_editor.survey_id, 'editor');
begin
  if not exists (
    select from invite.uploads as u
    where u.id = require_upload_editor.upload_id and u.survey_id = require_upload_editor.survey_id
  ) then
    raise exception 'there is no upload % of this survey', require_upload_editor.upload_id using errcode = 'P0002';
  end if;
  return v_member;
end
$$;
comment on function console.require_upload_editor(bytea, text, uuid) is
  'The member who uses a session, if that person is at least an editor of the survey, and the survey has the upload; raises P0002 or IT403 otherwise.';
