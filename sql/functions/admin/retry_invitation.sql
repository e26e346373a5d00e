create or replace function invite.retry_invitation(invitation_id bigint, at timestamptz default null) returns invite.retry_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_invitation(retry_invitation.invitation_id);
  return invite.retry_invitations(array[retry_invitation.invitation_id], retry_invitation.at);
end
$$;
comment on function invite.retry_invitation(bigint, timestamptz) is 'Queues the failed message of an invitation again.';
