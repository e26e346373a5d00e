create or replace function invite.cursor_position(cursor text, workspace invite.workspaces, epoch text) returns bigint
language sql immutable parallel safe
as $$
  select case when cursor ~ '^[a-z0-9]{12}[A-Za-z0-9_-]{11}$' and left(cursor, 12) = (workspace).home || epoch then
    invite.conceal(
      ('x' || encode(decode(translate(right(cursor, 11), '-_', '+/') || '=', 'base64'), 'hex'))::bit(64)::bigint, (workspace).link_key, '{8,7,6,5}')
  end
$$;
comment on function invite.cursor_position(text, invite.workspaces, text) is
  'The position up to which the reader with a cursor has read. Null: it is no cursor of this workspace, or of before its database was restored.';
