create function console.cancel_invitation(session_hash bytea, survey_id text, invitation_id bigint) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_invitation_editor(cancel_invitation.session_hash, cancel_invitation.survey_id, cancel_invitation.invitation_id);
  v_result invite.cancel_result := invite.cancel_invitation(cancel_invitation.invitation_id);
begin
  return v_result.cancelled + v_result.already_sending;
end
$$;
comment on function console.cancel_invitation(bytea, text, bigint) is
  'Cancels the pending message of an invitation on behalf of an editor. Returns how many.';
