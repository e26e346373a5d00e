-- Reads the index of waiting emails one survey at a time, so that the number of waiting emails doesn't matter.
create or replace view invite.awaiting_requeue as
with recursive waiting as (
  (select m.survey_id from invite.messages as m where m.status = 'waiting' order by m.survey_id limit 1)
  union all
  select n.survey_id
  from waiting as w
  cross join lateral (
    select m.survey_id from invite.messages as m where m.status = 'waiting' and m.survey_id > w.survey_id order by m.survey_id limit 1
  ) as n
),
requeueing as (
  select t.identifier, j.payload ->> 'survey_id' as survey_id, j.payload ->> 'workspace_id' as workspace_id
  from graphile_worker._private_jobs as j
  join graphile_worker._private_tasks as t on t.id = j.task_id
  where t.identifier in ('requeue_waiting', 'requeue_workspace')
    and case
      when j.locked_at is null then j.attempts < j.max_attempts and j.run_at <= invite.now() + interval '1 minute'
      else j.locked_at > invite.now() - interval '2 minutes'
    end
)
select s.id as survey_id, s.workspace_id
from waiting as i
cross join lateral (
  select s.id, s.workspace_id, invite.hold_reason(s, w, p, g) as hold_reason
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  cross join invite.settings as g
  where s.id = i.survey_id
  offset 0
) as s
where s.hold_reason is null
  and not exists (select from requeueing as r where r.survey_id = s.id)
  and not exists (select from requeueing as r where r.workspace_id = s.workspace_id);
comment on view invite.awaiting_requeue is
  'Surveys whose emails wait although they may be sent, and that no queued job will requeue. Normally empty; rows disappear within two minutes.';
