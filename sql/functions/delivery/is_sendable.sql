create or replace function invite.is_sendable(survey_id text) returns boolean
language sql stable
as $$
  select invite.hold_reason(s, w, p, g) is null
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  cross join invite.settings as g
  where s.id = is_sendable.survey_id;
$$;
comment on function invite.is_sendable(text) is 'Whether the email of this survey may be sent now. Null: no such survey.';
