/*
 * Writes what a full disk or a read-only database refuses: pages of a table, and the log up to its commit. Nothing is left of it: the table
 * is gone at the commit, and nobody else ever sees it. For `check`, `status` and, after a write has failed, each process.
 */
create or replace function invite.try_write() returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set client_min_messages = error
as $$
declare
  v_table constant text := format('invite.%I', 'try_write_' || pg_backend_pid());
begin
  execute format('create table %s (filler text)', v_table);
  execute format('alter table %s alter column filler set storage plain', v_table);
  execute format('insert into %s select repeat(''x'', 4000) from generate_series(1, 32)', v_table);
  execute format('drop table %s', v_table);
end
$$;
comment on function invite.try_write() is 'Raises what keeps the database from being written: a full disk (53100), or that it is read-only (25006).';
