/*
 * Whether mail of a survey may leave now: it is active and not disabled, and its workspace is not suspended and has the feature.
 * Called by: claim_invitations and the views that say why something waits. Takes no lock.
 */
create or replace function invite.is_sendable(survey_id text) returns boolean
language sql stable
as $$
  select s.state = 'active' and s.disabled_at is null and w.suspended_at is null and p.api_trigger
  from invite.surveys as s
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  where s.id = is_sendable.survey_id;
$$;
comment on function invite.is_sendable(text) is 'Whether mail of this survey may leave now. Null: there is no such survey.';
