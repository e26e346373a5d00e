/*
 * Each count reads its partial index. None on not_before is needed: a queued row that is due has a sweep_at of at most a minute from now
 * (or heal_invitations finds it), so a million reminders of next week are not read.
 */
create or replace function invite.queue_metrics(silent_seconds integer default null, at timestamptz default null) returns invite.queue_state
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    d.due,
    d.overdue_seconds,
    (select count(*) from invite.messages as m where m.status = 'waiting' and not invite.is_test(m.invitation_id)),
    (select count(*) from invite.messages as m where m.status = 'sending'),
    invite.running_workers(queue_metrics.silent_seconds, invite.owner_time(queue_metrics.at))
  from (select invite.now(invite.owner_time(queue_metrics.at)) as now) as n
  cross join lateral (
    select
      count(*) as due,
      coalesce(extract(epoch from n.now - min(m.not_before)), 0)::double precision as overdue_seconds
    from invite.messages as m
    where m.status = 'queued' and m.sweep_at <= n.now + interval '2 minutes' and m.not_before <= n.now
  ) as d
$$;
comment on function invite.queue_metrics(integer, timestamptz) is
  'How many messages are due, for how long the oldest, how many wait or are being sent, and how many workers are running.';
