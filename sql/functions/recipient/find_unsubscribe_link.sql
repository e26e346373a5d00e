/*
 * The token consists of the invitation's id and a digest of its link token (src/mail/links.ts). The link token itself doesn't open the
 * unsubscribe page, because that page shows the address, and a product's survey page and its analytics get to know the link token.
 */
create or replace function invite.find_unsubscribe_link(unsubscribe_token text) returns setof invite.invitations
language sql stable
as $$
  select i.*
  from invite.invitations as i
  where i.id = substring(find_unsubscribe_link.unsubscribe_token from '^(\d{1,18})\.')::bigint
    and i.id || '.' || translate(
      encode(substr(sha256(convert_to('unsubscribe ' || i.link_token, 'UTF8')), 1, 16), 'base64'), '+/=', '-_'
    ) = find_unsubscribe_link.unsubscribe_token
$$;
comment on function invite.find_unsubscribe_link(text) is 'The invitation of an unsubscribe link; no row if its token is wrong.';
