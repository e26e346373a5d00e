/*
 * After so many seconds without a heartbeat, or without taking a job, a worker is taken for lost. The worker counts on it (LEASE_SECONDS): it starts no attempt that
 * might outlast them.
 */
create or replace function invite.lost_after_seconds() returns integer
language sql immutable parallel safe
as $$
  select 50
$$;
comment on function invite.lost_after_seconds() is 'Seconds without a heartbeat after which a worker is lost.';
