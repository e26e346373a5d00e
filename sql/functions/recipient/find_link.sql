-- Compares digests, so that the time of the comparison tells nothing of the secret.
create or replace function invite.find_link(link_token text) returns setof invite.invitations
language sql stable rows 1
as $$
  select (n.invitation).*
  from invite.named_invitation(find_link.link_token) as n
  where sha256(convert_to(n.link_token, 'UTF8')) = sha256(convert_to(find_link.link_token, 'UTF8'))
$$;
comment on function invite.find_link(text) is 'The invitation of a tracked link; no row if its token is wrong.';
