create or replace function invite.link_id(token text, workspace invite.workspaces) returns bigint
language sql immutable parallel safe
as $$
  select case when token ~ '^[a-z0-9]{8}[A-Za-z0-9_-]{33}$' and left(token, 8) = (workspace).home then
    invite.conceal(
      ('x' || encode(decode(translate(substr(token, 9, 11), '-_', '+/') || '=', 'base64'), 'hex'))::bit(64)::bigint, (workspace).link_key, '{4,3,2,1}')
  end
$$;
comment on function invite.link_id(text, invite.workspaces) is
  'The invitation that the token of a link names, tracked or for unsubscribing: before its secret is compared. Null: it can''t be a token of this workspace.';
