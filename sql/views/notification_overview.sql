create or replace view invite.notification_overview as
select
  n.workspace_id, n.email, m.role, n.report_due_at, n.time_zone,
  (select count(*)::integer from invite.score_alerts as a where a.notified_id = n.id) as score_alerts,
  (select count(*)::integer from invite.low_scores as l where l.notified_id = n.id) as waiting_scores,
  (select count(*)::integer from invite.notifications as x where x.notified_id = n.id and x.due_at is not null) as waiting_emails,
  l.ended_at as last_ended_at, l.outcome as last_outcome
from invite.notified_members as n
join invite.members as m on m.workspace_id = n.workspace_id and m.email = n.email
left join lateral (
  select x.ended_at, x.outcome from invite.notifications as x where x.notified_id = n.id and x.outcome is not null order by x.created_at desc limit 1
) as l on true;
comment on view invite.notification_overview is 'The members who get email about low scores or their week, and what is on its way to them.';
