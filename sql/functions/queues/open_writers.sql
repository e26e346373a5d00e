create or replace function invite.open_writers(table_name regclass) returns setof text
language sql stable
as $$
  select l.virtualtransaction
  from pg_locks as l
  where l.relation = open_writers.table_name
    and l.database = (select d.oid from pg_database as d where d.datname = current_database())
    and l.mode = 'RowExclusiveLock'
    and l.pid is distinct from pg_backend_pid()
$$;
comment on function invite.open_writers(regclass) is
  'The open transactions, other than this one, that may have written to a table; including prepared transactions.';
