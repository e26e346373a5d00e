-- waiting counts places that were promised and not used yet; the time of the last one is in the clock of the workspace.
create or replace view invite.cap_overview as
select
  c.workspace_id, c.scope, c.domain, c.per_hour, c.per_day, c.own_per_hour, c.own_per_day, c.earned_per_day, c.earned_days,
  coalesce(s.sent_this_hour, 0) as sent_this_hour, coalesce(s.sent_today, 0) as sent_today, coalesce(s.waiting, 0) as waiting, s.waits_until
from (
  select c.workspace_id, c.scope, c.domain, c.per_hour, c.per_day, c.own_per_hour, c.own_per_day, c.earned_per_day, c.earned_days,
    coalesce(w.test_now, invite.now()) as now
  from invite.caps as c
  join invite.workspaces as w on w.id = c.workspace_id
  union all
  select null, 'shared', x.domain, x.per_hour, x.per_day, null, null, null, null, invite.now()
  from invite.shared_caps as x
) as c
left join lateral (
  select
    sum(s.used) filter (where s.slot = date_trunc('hour', c.now, 'UTC'))::integer as sent_this_hour,
    sum(s.used) filter (where s.slot < date_trunc('day', c.now, 'UTC') + interval '24 hours')::integer as sent_today,
    sum(greatest(s.large + s.small - s.used, 0)) filter (where s.slot >= date_trunc('hour', c.now, 'UTC'))::integer as waiting,
    max(s.slot) filter (where s.large + s.small > s.used and s.slot >= date_trunc('hour', c.now, 'UTC')) + interval '1 hour' as waits_until
  from invite.cap_slots as s
  where s.domain = c.domain and s.slot >= date_trunc('day', c.now, 'UTC')
    and case when c.workspace_id is null then s.scope = 'shared' else s.workspace_id = c.workspace_id and s.scope = c.scope end
) as s on true;
comment on view invite.cap_overview is
  'The caps, with what has left under each, how many emails wait for their places, and until when at most. workspace_id: null: shared by all.';
