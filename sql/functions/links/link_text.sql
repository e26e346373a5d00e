/*
 * Of one length: four characters of the home, eleven of the permuted id, 22 of the secret. The home names the installation, so that several
 * can stand behind one address. A link is found by its id, so no index holds secrets.
 */
create or replace function invite.link_text(invitation_id bigint, secret uuid, settings invite.settings) returns text
language sql immutable parallel safe
as $$
  select (settings).home || translate(
    encode(int8send(invite.conceal(invitation_id, (settings).link_key)), 'base64') || encode(uuid_send(secret), 'base64'), '+/=', '-_')
$$;
comment on function invite.link_text(bigint, uuid, invite.settings) is 'The token of an invitation''s tracked link.';
