-- No index has the time of sending. Settled emails are found by the time of their last event. Invitations whose reminder is still to come
-- are found by the time when it is due, which is a whole number of days after sending. Each range has two ends: the planner expects an open
-- range to return a third of the table, and PostgreSQL before 18 then compiles the query.
create or replace view invite.emails_per_minute as
select
  date_trunc('minute', e.at) as minute, count(*) filter (where e.message_kind = 'invitation') as invitations,
  count(*) filter (where e.message_kind = 'reminder') as reminders
from (
  select i.sent_at, i.reminded_at
  from invite.invitations as i
  where i.due_at is null and i.erased_at is null
    and invite.last_event_at(i.batch_id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at)
      between statement_timestamp() - interval '15 minutes' and statement_timestamp() + interval '1 minute'
  union all
  select n.sent_at, null
  from generate_series(1, 365) as d (days)
  cross join lateral (select statement_timestamp() + d.days * interval '24 hours' as at) as t
  cross join lateral (
    select i.sent_at
    from invite.invitations as i
    where i.status = 'queued' and i.message_kind = 'reminder'
      and i.sweep_at between t.at - interval '20 minutes' and t.at and i.due_at between t.at - interval '15 minutes' and t.at + interval '1 minute'
    offset 0
  ) as n
) as i
cross join lateral (values ('invitation'::invite.message_kind, i.sent_at), ('reminder', i.reminded_at)) as e (message_kind, at)
where e.at > statement_timestamp() - interval '15 minutes'
group by 1
order by 1;
comment on view invite.emails_per_minute is
  'Invitations and reminders that the relay has accepted in the last 15 minutes, by minute. Invitations that were erased are left out.';
