/*
 * home: whose events are waited for. It only says in which database they are, where several stand behind one address.
 */
create or replace function invite.published_to(home text default null) returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select p.published_to from invite.event_progress as p
$$;
comment on function invite.published_to(text) is 'The position of the last published event.';
