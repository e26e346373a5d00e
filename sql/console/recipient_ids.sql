/*
 * The newest invitations to the address in the workspace; for an erased invitation, only that one. Raises: P0002 if the workspace has no
 * such invitation.
 */
create function console.recipient_ids(workspace_id text, invitation_id bigint, max_rows integer default 100) returns bigint[]
language plpgsql stable
as $$
declare
  v_email text;
begin
  select lower(i.email) into v_email
  from invite.invitations as i
  where i.id = recipient_ids.invitation_id and i.workspace_id = recipient_ids.workspace_id;
  if not found then
    raise exception 'there is no invitation % of this workspace', recipient_ids.invitation_id using errcode = 'P0002';
  end if;
  if v_email is null then
    return array[recipient_ids.invitation_id];
  end if;
  return (invite.invitations_to(recipient_ids.workspace_id, v_email))[1:recipient_ids.max_rows];
end
$$;
comment on function console.recipient_ids(text, bigint, integer) is
  'The ids of all invitations in the workspace to the recipient of an invitation, newest first.';
