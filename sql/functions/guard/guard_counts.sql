/*
 * A report counts for the quarter hour in which the email was sent that it is about: the invitation's last one before it. So a late complaint
 * about email of last week raises no share of today's. A relay's clock may be an hour off.
 *
 * What was sent is read from the counts of Results, so that accepting and sending write nothing for the guard. Of the newest 10,000 surveys.
 * Pins: lookup plan.
 */
create or replace function invite.guard_counts(workspace_id text, since timestamptz)
returns table (starts_at timestamptz, sent bigint, bounced bigint, complained bigint)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
  with own as materialized (
    select s.id
    from invite.surveys as s
    where s.workspace_id = guard_counts.workspace_id
    order by s.created_at desc, s.id
    limit 10000
  ),
  counted as (
    select c.starts_at, 'sent' as what, c.number
    from own as o
    join invite.result_counts as c
      on c.survey_id = o.id and not c.whole_day and c.starts_at >= guard_counts.since and c.question = '' and c.value in ('sent', 'reminded')
    union all
    select c.starts_at, 'sent', c.number
    from own as o
    join invite.result_changes as c on c.survey_id = o.id
    where c.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes')
      and c.question = '' and c.value in ('sent', 'reminded') and c.starts_at >= guard_counts.since
    union all
    select date_bin('15 minutes', m.sent_at, '2000-01-01 00:00Z'), r.outcome::text, 1
    from own as o
    join invite.invitation_outcomes as r
      on r.survey_id = o.id and r.outcome in ('bounced', 'complained') and r.at >= guard_counts.since - interval '1 hour'
    cross join lateral (
      select max(x.sent_at) as sent_at
      from invite.messages as x
      where x.invitation_id = r.invitation_id and x.sent_at <= r.at + interval '1 hour'
    ) as m
    where m.sent_at >= guard_counts.since
  )
  select
    c.starts_at,
    coalesce(sum(c.number) filter (where c.what = 'sent'), 0)::bigint,
    count(*) filter (where c.what = 'bounced'),
    count(*) filter (where c.what = 'complained')
  from counted as c
  group by c.starts_at
$$;
comment on function invite.guard_counts(text, timestamptz) is
  'How many emails of a workspace were sent, and how many of these have bounced or were reported as spam, by the quarter hour of sending.';
