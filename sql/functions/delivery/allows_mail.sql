/*
 * The rule of whether mail of a survey may leave: it is active and not disabled, and its workspace is not suspended and has the feature.
 *
 * Of rows, and one expression, so that the planner puts it into the query that has them.
 *
 * Called by: is_sendable, lock_held_surveys.
 */
create or replace function invite.allows_mail(survey invite.surveys, workspace invite.workspaces, plan invite.plans) returns boolean
language sql immutable
as $$
  select survey.state = 'active' and survey.disabled_at is null and workspace.suspended_at is null and plan.api_trigger
$$;
comment on function invite.allows_mail(invite.surveys, invite.workspaces, invite.plans) is
  'Whether mail of this survey, of this workspace with this plan, may leave.';
