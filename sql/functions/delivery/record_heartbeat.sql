/*
 * pool_id: graphile-worker's name for the process, as in jobs.locked_by; null until known. A new one means that the runner was
 * restarted: the jobs of the old one are unlocked, or they would stay locked for four hours.
 * seconds_since_fetch: since the worker last took a job, or was told that there is none.
 *
 * A lost worker registers again, but no longer holds what it held. Locks: the worker's row.
 */
create or replace function invite.record_heartbeat(
  worker_id uuid, pool_id text, hostname text, pid integer, seconds_since_fetch double precision default 0, relay text default null
) returns void
language plpgsql volatile
as $$
declare
  v_old_pool_id text;
  v_taken_at timestamptz := clock_timestamp() - record_heartbeat.seconds_since_fetch * interval '1 second';
begin
  select w.pool_id into v_old_pool_id
  from invite.workers as w
  where w.id = record_heartbeat.worker_id
  for no key update;

  insert into invite.workers as w (id, pool_id, hostname, pid, jobs_taken_at, relay)
  values (
    record_heartbeat.worker_id, record_heartbeat.pool_id, record_heartbeat.hostname, record_heartbeat.pid, v_taken_at, record_heartbeat.relay)
  on conflict on constraint workers_pkey
  do update set
    heartbeat_at = clock_timestamp(), jobs_taken_at = excluded.jobs_taken_at, pool_id = coalesce(excluded.pool_id, w.pool_id);

  if v_old_pool_id <> record_heartbeat.pool_id then
    perform graphile_worker.force_unlock_workers(array[v_old_pool_id]);
  end if;
end
$$;
comment on function invite.record_heartbeat(uuid, text, text, integer, double precision, text) is
  'Registers a worker, or records that it is still running and when it last took a job.';
