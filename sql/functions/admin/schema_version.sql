/*
 * The web server responds 503 while the schema is missing or older than the code.
 */
create or replace function invite.schema_version() returns integer
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select max(version) from invite.migrations;
$$;
comment on function invite.schema_version() is 'Number of the last applied migration.';
