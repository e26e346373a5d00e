create or replace function invite.cursor_position(cursor text, settings invite.settings) returns bigint
language sql immutable parallel safe
as $$
  select case when cursor ~ '^[a-z0-9]{8}[A-Za-z0-9_-]{11}$' and left(cursor, 8) = (settings).home || (settings).epoch then
    invite.conceal(
      ('x' || encode(decode(translate(right(cursor, 11), '-_', '+/') || '=', 'base64'), 'hex'))::bit(64)::bigint, (settings).link_key, '{8,7,6,5}')
  end
$$;
comment on function invite.cursor_position(text, invite.settings) is
  'The position up to which the reader with a cursor has read. Null: it is no cursor of this database, or of before it was restored.';
