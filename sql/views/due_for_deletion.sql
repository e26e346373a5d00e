create or replace view invite.due_for_deletion as
select
  r.what, invite.kept_days(r, invite.now()) as days, nullif(r.effective_at, '-infinity') as effective_at, n.days as next_days,
  invite.count_due(r.what, n.days) as rows, 10000 as most_rows
from invite.retention as r
cross join lateral invite.kept_days(r, invite.now() + interval '1 day') as n (days);
comment on view invite.due_for_deletion is 'What the next 24 hours delete because it has been kept for long enough.';
