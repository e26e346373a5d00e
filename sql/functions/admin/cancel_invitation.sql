create or replace function invite.cancel_invitation(invitation_id bigint, at timestamptz default null) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.cancel_result;
begin
  perform invite.require_invitation(cancel_invitation.invitation_id);
  v_result := invite.cancel_invitations(array[cancel_invitation.invitation_id], cancel_invitation.at);
  perform invite.record_message_audit(
    (select i.survey_id from invite.invitations as i where i.id = cancel_invitation.invitation_id), 'invitation_cancelled', cancel_invitation.invitation_id::text, v_result.cancelled + v_result.already_sending);
  return v_result;
end
$$;
comment on function invite.cancel_invitation(bigint, timestamptz) is 'Cancels the pending message of an invitation.';
