create or replace function invite.retry_invitation(invitation_id bigint, at timestamptz default null) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.retry_result;
begin
  perform invite.require_invitation(retry_invitation.invitation_id);
  v_result := invite.retry_invitations(array[retry_invitation.invitation_id], retry_invitation.at);
  perform invite.record_message_audit(
    (select i.survey_id from invite.invitations as i where i.id = retry_invitation.invitation_id), 'invitation_retried', retry_invitation.invitation_id::text, v_result.queued);
  return v_result;
end
$$;
comment on function invite.retry_invitation(bigint, timestamptz) is 'Queues the failed message of an invitation again.';
