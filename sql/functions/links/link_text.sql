/*
 * Of one length: eight characters of the workspace's home, eleven of the permuted id, 22 of the secret. The home says where the workspace is, so
 * that several databases can stand behind one address. A link is found by its id, so no index holds secrets.
 */
create or replace function invite.link_text(invitation_id bigint, secret uuid, workspace invite.workspaces) returns text
language sql immutable parallel safe
as $$
  select (workspace).home || translate(
    encode(int8send(invite.conceal(invitation_id, (workspace).link_key)), 'base64') || encode(uuid_send(secret), 'base64'), '+/=', '-_')
$$;
comment on function invite.link_text(bigint, uuid, invite.workspaces) is 'The token of an invitation''s tracked link.';
