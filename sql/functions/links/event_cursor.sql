/*
 * The workspace's home, the epoch of the database, and the position, hidden as the ids in links are, but by other rounds. So a cursor tells
 * nobody how many events there are.
 */
create or replace function invite.event_cursor(read_to bigint, workspace invite.workspaces, epoch text) returns text
language sql immutable parallel safe
as $$
  select (workspace).home || epoch
    || translate(encode(int8send(invite.conceal(read_to, (workspace).link_key, '{5,6,7,8}')), 'base64'), '+/=', '-_')
$$;
comment on function invite.event_cursor(bigint, invite.workspaces, text) is 'The cursor of a reader that has read the events of a workspace up to a position.';
