/*
 * Addresses are compared in lower case.
 */
create or replace function invite.invitations_to(workspace_id text, email text) returns bigint[]
language sql stable
as $$
  select array(
    select a.invitation_id
    from invite.addresses as a
    where a.workspace_id = invitations_to.workspace_id and a.email = lower(invitations_to.email collate "C")
    order by a.invitation_id desc)
$$;
comment on function invite.invitations_to(text, text) is 'The ids of a workspace''s invitations to an address, the newest first.';
