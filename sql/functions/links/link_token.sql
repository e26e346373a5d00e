create or replace function invite.link_token(invitation invite.invitations) returns text
language sql stable
as $$
  select invite.link_text((invitation).id, (invitation).secret, w) from invite.workspaces as w where w.id = (invitation).workspace_id
$$;
comment on function invite.link_token(invite.invitations) is 'The token of an invitation''s tracked link.';
