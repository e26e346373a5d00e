/*
 * Each count ends at max_count, so that a busy hour costs no more than a quiet one. Test workspaces are left out.
 */
create or replace function invite.recent_activity(max_count integer default 100000, at timestamptz default null)
returns table (seconds integer, requests bigint, recipients bigint, sent bigint, failed bigint)
language sql stable
as $$
  select p.seconds, b.requests, b.recipients, m.sent, m.failed
  from (select invite.now(recent_activity.at) as now) as n
  cross join (values (60), (3600)) as p (seconds)
  cross join lateral (select n.now - p.seconds * interval '1 second' as since) as s
  cross join lateral (
    select count(*) as requests, coalesce(sum(x.recipients), 0) as recipients
    from (
      select y.recipients
      from invite.batches as y
      where y.id >= overlay(invite.uuidv7(s.since)::text placing '7000-8000-000000000000' from 15)::uuid
        and not exists (select from invite.workspaces as w where w.id = y.workspace_id and w.test_of is not null)
      limit recent_activity.max_count
    ) as x
  ) as b
  cross join lateral (
    select count(x.sent_at) as sent, count(x.failed_at) as failed
    from (
      select y.sent_at, y.failed_at
      from (values (true), (false)) as l (is_last)
      cross join lateral (
        select z.sent_at, z.failed_at
        from invite.messages as z
        where z.is_last = l.is_last and not invite.is_test(z.invitation_id) and z.not_before is null and not z.is_erased
          and invite.ended_at(z.sent_at, z.failed_at, z.skipped_at, z.cancelled_at) between s.since and n.now + interval '1 minute'
        offset 0
      ) as y
      where num_nonnulls(y.sent_at, y.failed_at) > 0
      limit recent_activity.max_count
    ) as x
  ) as m
$$;
comment on function invite.recent_activity(integer, timestamptz) is
  'What was accepted, sent and given up in the last minute and the last hour: requests and their recipients, messages that the relay has accepted, and '
  'those that have failed. Each is counted up to max_count.';
