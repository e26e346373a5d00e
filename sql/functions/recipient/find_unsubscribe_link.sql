/*
 * The token is that of the tracked link with a digest of it in the place of the secret (src/mail/links.ts). The tracked link itself doesn't
 * open the unsubscribe page, because that page shows the address, and a product's survey page and its analytics get to know the link. Compares
 * digests, as find_link does.
 */
create or replace function invite.find_unsubscribe_link(unsubscribe_token text) returns setof invite.invitations
language sql stable rows 1
as $$
  select (n.invitation).*
  from invite.named_invitation(find_unsubscribe_link.unsubscribe_token) as n
  where sha256(convert_to(left(n.link_token, 19) || translate(
      encode(substr(sha256(convert_to('unsubscribe ' || n.link_token, 'UTF8')), 1, 16), 'base64'), '+/=', '-_'), 'UTF8'))
    = sha256(convert_to(find_unsubscribe_link.unsubscribe_token, 'UTF8'))
$$;
comment on function invite.find_unsubscribe_link(text) is 'The invitation of an unsubscribe link; no row if its token is wrong.';
