create or replace function invite.running_workers(silent_seconds integer default null, at timestamptz default null) returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select count(*)
  from invite.workers as w
  where least(w.heartbeat_at, w.jobs_taken_at)
    > invite.now(invite.owner_time(running_workers.at)) - coalesce(running_workers.silent_seconds, invite.lost_after_seconds()) * interval '1 second'
$$;
comment on function invite.running_workers(integer, timestamptz) is 'How many workers report and take jobs.';
