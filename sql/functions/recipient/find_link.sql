/*
 * Compares digests, so that the time of the comparison tells nothing of the secret.
 */
create or replace function invite.find_link(link_token text) returns setof invite.invitations
language sql stable rows 1
as $$
  select i.*
  from invite.settings as g
  join invite.invitations as i on i.id = invite.link_id(find_link.link_token, g)
  where sha256(convert_to(invite.link_text(i.id, i.secret, g), 'UTF8')) = sha256(convert_to(find_link.link_token, 'UTF8'))
$$;
comment on function invite.find_link(text) is 'The invitation of a tracked link; no row if its token is wrong.';
