create or replace view invite.paused_sending as
select 'all' as scope, null::text as workspace_id, null::text as survey_id, g.paused_at
from invite.settings as g
where g.paused_at is not null
union all
select 'workspace', w.id, null, w.paused_at
from invite.workspaces as w
where w.paused_at is not null
union all
select 'guard', w.id, null, w.guarded_at
from invite.workspaces as w
where w.guarded_at is not null
union all
select 'survey', s.workspace_id, s.id, s.paused_at
from invite.surveys as s
where s.paused_at is not null;
comment on view invite.paused_sending is
  'Where sending is paused: for everyone (scope all), for a workspace, by the guard for a workspace, or for a survey. Requests are still accepted, and due emails wait.';
