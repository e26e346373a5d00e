-- By the index of ended messages, whose first column says whether another message followed. The range has two ends: the planner expects an
-- open range to return a third of the table, and PostgreSQL before 18 then compiles the query.
create or replace view invite.emails_per_minute as
select
  date_trunc('minute', m.sent_at) as minute, count(*) filter (where m.number = 0) as invitations, count(*) filter (where m.number > 0) as reminders
from (values (true), (false)) as l (is_last)
cross join lateral (
  select x.sent_at, x.number
  from invite.messages as x
  where x.is_last = l.is_last and not invite.is_test(x.invitation_id) and x.not_before is null and not x.is_erased
    and invite.ended_at(x.sent_at, x.failed_at, x.skipped_at, x.cancelled_at)
      between invite.now() - interval '15 minutes' and invite.now() + interval '1 minute'
  offset 0
) as m
where m.sent_at > invite.now() - interval '15 minutes'
group by 1
order by 1;
comment on view invite.emails_per_minute is
  'Invitations and reminders that the relay has accepted in the last 15 minutes, by minute. Those to erased recipients are left out.';
