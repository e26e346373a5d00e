create function console.require_batch_editor(session_hash bytea, survey_id text, batch_id uuid) returns invite.members
language plpgsql stable
as $$
declare
  v_member invite.members := console.require_survey_role(require_batch_editor.session_hash, require_batch_editor.survey_id, 'editor');
begin
  if not exists (
    select from invite.batches as b
    where b.id = require_batch_editor.batch_id and b.survey_id = require_batch_editor.survey_id
  ) then
    raise exception 'there is no batch % of this survey', require_batch_editor.batch_id using errcode = 'P0002';
  end if;
  return v_member;
end
$$;
comment on function console.require_batch_editor(bytea, text, uuid) is
  'The member who uses a session, if that person is at least an editor of the survey, and the survey has the batch; raises P0002 or IT403 otherwise.';
