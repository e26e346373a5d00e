/*
 * The token is that of the tracked link with a digest of it in the place of the secret (src/mail/links.ts). The tracked link itself doesn't
 * open the unsubscribe page, because that page shows the address, and a product's survey page and its analytics get to know the link.
 */
create or replace function invite.find_unsubscribe_link(unsubscribe_token text) returns setof invite.invitations
language plpgsql stable rows 1
as $$
declare
  v_settings invite.settings;
  v_id bigint;
begin
  select g.* into v_settings from invite.settings as g;
  v_id := invite.link_id(find_unsubscribe_link.unsubscribe_token, v_settings);
  return query
  select i.*
  from invite.invitations as i
  cross join lateral (select invite.link_text(i.id, i.secret, v_settings) as token) as l
  where i.id = v_id and sha256(convert_to(left(l.token, 15) || translate(
      encode(substr(sha256(convert_to('unsubscribe ' || l.token, 'UTF8')), 1, 16), 'base64'), '+/=', '-_'), 'UTF8'))
    = sha256(convert_to(find_unsubscribe_link.unsubscribe_token, 'UTF8'));
end
$$;
comment on function invite.find_unsubscribe_link(text) is 'The invitation of an unsubscribe link; no row if its token is wrong.';
