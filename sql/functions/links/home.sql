create or replace function invite.home() returns text
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select g.home from invite.settings as g
$$;
comment on function invite.home() is 'The name of this database: the first four characters of the homes of the workspaces that it has created.';
