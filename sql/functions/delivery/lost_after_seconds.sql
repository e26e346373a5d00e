/*
 * The worker has the same number as LEASE_SECONDS: it starts no attempt that might last longer.
 */
create or replace function invite.lost_after_seconds() returns integer
language sql immutable parallel safe
as $$
  select 50
$$;
comment on function invite.lost_after_seconds() is 'Seconds without a heartbeat, or without taking a job, after which a worker is lost.';
