create or replace function invite.cell_number() returns integer
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select g.cell_number::integer from invite.settings as g
$$;
comment on function invite.cell_number() is 'Which range of ids the rows of this database have: see set_cell_number.';
