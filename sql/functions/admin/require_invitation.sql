/*
 * Raises: P0002; IT503, as require_workspace.
 */
create or replace function invite.require_invitation(invitation_id bigint) returns void
language plpgsql stable
as $$
declare
  v_workspace text;
begin
  select i.workspace_id into v_workspace from invite.invitations as i where i.id = require_invitation.invitation_id;
  if v_workspace is null then
    raise exception 'there is no invitation %', require_invitation.invitation_id using errcode = 'P0002';
  end if;
  perform invite.require_workspace(v_workspace);
end
$$;
comment on function invite.require_invitation(bigint) is 'Raises P0002 unless the invitation exists, and IT503 if its workspace is not here.';
