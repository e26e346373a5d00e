create or replace view invite.workspace_overview as
select
  w.id, w.name, w.plan_id, p.api_trigger, w.suspended_at, w.created_at,
  (select count(*)::integer from invite.surveys as s where s.workspace_id = w.id) as surveys,
  (select count(*)::integer from invite.members as m where m.workspace_id = w.id) as members,
  w.paused_at, w.records_events, w.sender, w.rest_days, w.open_hours, w.time_zone, w.closed_days, w.max_delay_hours, w.test_of, w.test_now, w.home
from invite.workspaces as w
join invite.plans as p on p.id = w.plan_id;
comment on view invite.workspace_overview is 'Workspaces with their plan and the numbers of their surveys and members.';
