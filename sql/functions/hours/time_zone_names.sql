create or replace function invite.time_zone_names() returns text[]
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select array_agg(z.name) from invite.time_zones as z
$$;
comment on function invite.time_zone_names() is 'The time zones that the server knows, for the endpoint.';
