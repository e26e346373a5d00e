create or replace function invite.link_token(invitation invite.invitations) returns text
language sql stable
as $$
  select invite.link_text((invitation).id, (invitation).secret, g) from invite.settings as g
$$;
comment on function invite.link_token(invite.invitations) is 'The token of an invitation''s tracked link.';
