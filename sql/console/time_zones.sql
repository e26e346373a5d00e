create function console.time_zones(session_hash bytea) returns text[]
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select array(select z.name from invite.time_zones as z where console.session_email(time_zones.session_hash) is not null order by z.name)
$$;
comment on function console.time_zones(bytea) is 'The time zones that the server knows, for anyone who is signed in.';
