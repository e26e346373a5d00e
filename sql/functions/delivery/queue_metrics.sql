/*
 * Each count reads its partial index. None on due_at is needed: a queued row that is due has a sweep_at of at most a minute from now
 * (or heal_invitations finds it), so a million reminders of next week are not read.
 */
create or replace function invite.queue_metrics(silent_seconds integer default null, at timestamptz default null) returns invite.queue_state
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    d.due,
    d.overdue_seconds,
    (select count(*) from invite.invitations as i where i.status = 'waiting'),
    (select count(*) from invite.invitations as i where i.status = 'sending'),
    (select count(*) from invite.workers as w where least(w.heartbeat_at, w.jobs_taken_at) > n.now - coalesce(queue_metrics.silent_seconds, invite.lost_after_seconds()) * interval '1 second')
  from (select coalesce(invite.owner_time(queue_metrics.at), clock_timestamp()) as now) as n
  cross join lateral (
    select
      count(*) as due,
      coalesce(extract(epoch from n.now - min(i.due_at)), 0)::double precision as overdue_seconds
    from invite.invitations as i
    where i.status = 'queued' and i.sweep_at <= n.now + interval '2 minutes' and i.due_at <= n.now
  ) as d
$$;
comment on function invite.queue_metrics(integer, timestamptz) is
  'How many messages are due, for how long the oldest, how many wait or are being sent, and how many workers are running.';
