/*
 * Home, epoch and position, hidden as the ids in links are, but by other rounds. So a cursor tells nobody how many events there are.
 */
create or replace function invite.event_cursor(read_to bigint, settings invite.settings) returns text
language sql immutable parallel safe
as $$
  select (settings).home || (settings).epoch
    || translate(encode(int8send(invite.conceal(read_to, (settings).link_key, '{5,6,7,8}')), 'base64'), '+/=', '-_')
$$;
comment on function invite.event_cursor(bigint, invite.settings) is 'The cursor of a reader that has read the events up to a position.';
