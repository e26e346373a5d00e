create or replace function invite.cancel_invitation(invitation_id bigint, at timestamptz default null) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_invitation(cancel_invitation.invitation_id);
  return invite.cancel_invitations(array[cancel_invitation.invitation_id], cancel_invitation.at);
end
$$;
comment on function invite.cancel_invitation(bigint, timestamptz) is 'Cancels the pending message of an invitation.';
