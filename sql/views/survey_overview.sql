create or replace view invite.survey_overview as
select
  s.id, s.workspace_id, s.title, s.state, s.disabled_at, s.public_url, s.created_at,
  case
    when w.suspended_at is not null then 'the workspace is suspended'
    when not p.api_trigger then 'the plan has no API trigger'
    when s.disabled_at is not null then 'the survey is disabled'
    when s.state <> 'active' then 'the survey is ' || s.state
  end as held_because,
  (select count(*)::integer from invite.responses as r where r.survey_id = s.id) as responses
from invite.surveys as s
join invite.workspaces as w on w.id = s.workspace_id
join invite.plans as p on p.id = w.plan_id;
comment on view invite.survey_overview is 'Surveys, and why their mail is held (held_because; null: it is not).';
