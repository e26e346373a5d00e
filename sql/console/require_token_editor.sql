/*
 * Raises: P0002 for a deleted token and for a token of another survey.
 */
create function console.require_token_editor(session_hash bytea, survey_id text, token_id uuid) returns invite.members
language plpgsql stable
as $$
declare
  v_member invite.members := console.require_survey_role(require_token_editor.session_hash, require_token_editor.survey_id, 'editor');
begin
  if not exists (
    select from invite.trigger_tokens as t
    where t.id = require_token_editor.token_id and t.survey_id = require_token_editor.survey_id and t.deleted_at is null
  ) then
    raise exception 'there is no trigger token %', require_token_editor.token_id using errcode = 'P0002';
  end if;
  return v_member;
end
$$;
comment on function console.require_token_editor(bytea, text, uuid) is
  'The member who uses a session, if that person is at least an editor of the survey, and the survey has the token; raises P0002 or IT403 otherwise.';
