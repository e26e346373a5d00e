/*
 * As the tokens of other links: the workspace's home, the permuted id of the row, the secret.
 */
create or replace function invite.notification_token(member invite.notified_members) returns text
language sql stable
as $$
  select invite.link_text((member).id, (member).secret, w) from invite.workspaces as w where w.id = (member).workspace_id
$$;
comment on function invite.notification_token(invite.notified_members) is 'The token of the link that stops a member''s notifications.';
