create or replace function invite.send_invitation_anyway(invitation_id bigint, at timestamptz default null) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.retry_result;
begin
  perform invite.require_invitation(send_invitation_anyway.invitation_id);
  v_result := invite.send_anyway(array[send_invitation_anyway.invitation_id], send_invitation_anyway.at);
  perform invite.record_message_audit(
    (select i.survey_id from invite.invitations as i where i.id = send_invitation_anyway.invitation_id), 'invitation_sent_anyway',
    send_invitation_anyway.invitation_id::text, v_result.queued);
  return v_result;
end
$$;
comment on function invite.send_invitation_anyway(bigint, timestamptz) is
  'Sends an email that rests or was skipped, in spite of the rest and its deadline.';
