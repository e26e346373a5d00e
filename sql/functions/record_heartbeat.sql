/*
 * Says that a worker is alive; the first time, registers it.
 * Called by: each worker, every few seconds. The pool_id is graphile-worker's name for the process, as in jobs.locked_by.
 * A worker that was given up for dead registers anew: what it held is no longer its own, as its settles will find.
 */
create or replace function invite.record_heartbeat(worker_id uuid, pool_id text, hostname text, pid integer) returns void
language sql volatile
as $$
  insert into invite.workers (id, pool_id, hostname, pid)
  values (record_heartbeat.worker_id, record_heartbeat.pool_id, record_heartbeat.hostname, record_heartbeat.pid)
  on conflict on constraint workers_pkey
  do update set heartbeat_at = clock_timestamp(), pool_id = excluded.pool_id;
$$;
comment on function invite.record_heartbeat(uuid, text, text, integer) is 'Registers a worker, or says that it is still alive.';
