create or replace function invite.published_to() returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select p.published_to from invite.event_progress as p
$$;
comment on function invite.published_to() is 'The position of the last published event.';
