create or replace function invite.require_invitation(invitation_id bigint) returns void
language plpgsql stable
as $$
begin
  if not exists (select from invite.invitations as i where i.id = require_invitation.invitation_id) then
    raise exception 'there is no invitation %', require_invitation.invitation_id using errcode = 'P0002';
  end if;
end
$$;
comment on function invite.require_invitation(bigint) is 'Raises P0002 unless the invitation exists.';
