create or replace function invite.event_writers() returns setof text
language sql stable
as $$
  select l.virtualtransaction
  from pg_locks as l
  where l.relation = 'invite.new_events'::regclass
    and l.database = (select d.oid from pg_database as d where d.datname = current_database())
    and l.mode = 'RowExclusiveLock'
    and l.pid is distinct from pg_backend_pid()
$$;
comment on function invite.event_writers() is 'The open transactions, other than this one, that may have written events; prepared ones too.';
