/*
 * pool_id: graphile-worker's name for the process, as in jobs.locked_by; null until known. A new one means that the runner was
 * restarted: the jobs of the old one are unlocked, or they would stay locked for four hours.
 * seconds_since_fetch: since the worker last took a job, or was told that there is none.
 *
 * relay, rate, late_send_hours: as in invite.workers; what is claimed depends on them.
 *
 * A lost worker registers again, but no longer holds what it held. Locks: the worker's row.
 */
create or replace function invite.record_heartbeat(
  worker_id uuid, pool_id text, hostname text, pid integer, seconds_since_fetch double precision default 0, relay text default null,
  rate numeric default null, late_send_hours integer default null
) returns void
language plpgsql volatile
as $$
declare
  v_old_pool_id text;
  v_taken_at timestamptz := invite.clock() - record_heartbeat.seconds_since_fetch * interval '1 second';
begin
  select w.pool_id into v_old_pool_id
  from invite.workers as w
  where w.id = record_heartbeat.worker_id
  for no key update;

  insert into invite.workers as w (id, pool_id, hostname, pid, jobs_taken_at, relay, rate, late_send_hours)
  values (
    record_heartbeat.worker_id, record_heartbeat.pool_id, record_heartbeat.hostname, record_heartbeat.pid, v_taken_at, record_heartbeat.relay,
    record_heartbeat.rate, record_heartbeat.late_send_hours)
  on conflict on constraint workers_pkey
  do update set
    heartbeat_at = invite.clock(), jobs_taken_at = excluded.jobs_taken_at, pool_id = coalesce(excluded.pool_id, w.pool_id),
    relay = excluded.relay, rate = excluded.rate, late_send_hours = excluded.late_send_hours;

  if v_old_pool_id <> record_heartbeat.pool_id then
    perform graphile_worker.force_unlock_workers(array[v_old_pool_id]);
  end if;
end
$$;
comment on function invite.record_heartbeat(uuid, text, text, integer, double precision, text, numeric, integer) is
  'Registers a worker, or records that it is still running and when it last took a job.';
