/*
 * A session that has read a table holds a lock on it until its transaction ends, and so does a prepared transaction. A dump only reads.
 */
create or replace function invite.users_of_workspaces() returns table (id text, pid integer, application text)
language sql stable
as $$
  select l.virtualtransaction, l.pid, a.application_name
  from pg_locks as l
  left join pg_stat_activity as a on a.pid = l.pid
  where l.relation = 'invite.workspaces'::regclass
    and l.database = (select d.oid from pg_database as d where d.datname = current_database())
    and l.granted and l.pid is distinct from pg_backend_pid() and a.application_name is distinct from 'pg_dump'
$$;
comment on function invite.users_of_workspaces() is 'The open transactions that have read the table of workspaces, and so may act by what it said.';
