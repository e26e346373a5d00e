/*
 * The only place of this rule. The endpoint accepts requests for a draft, closed or paused survey all the same, and says that their invitations
 * wait. Each row has its own function, which the triggers that requeue ask too. If several reasons apply, the first in the order of the type
 * counts.
 */
create or replace function invite.hold_reason(
  survey invite.surveys, workspace invite.workspaces, plan invite.plans, settings invite.settings default null
) returns invite.hold_reason
language sql immutable
as $$
  select least(
    invite.hold_of_workspace(workspace), invite.hold_of_plan(plan), invite.hold_of_survey(survey), invite.hold_of_settings(settings))
$$;
comment on function invite.hold_reason(invite.surveys, invite.workspaces, invite.plans, invite.settings) is
  'Why the email of this survey, of this workspace with this plan, is held; null: it may be sent.';
