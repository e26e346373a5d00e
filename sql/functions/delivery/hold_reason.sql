/*
 * The only place of this rule. The endpoint accepts requests for a draft, closed or paused survey all the same, and says that their invitations
 * wait.
 *
 * One expression, so that the planner inlines it: the cast is on a constant, because a cast of the whole from text isn't immutable.
 */
create or replace function invite.hold_reason(
  survey invite.surveys, workspace invite.workspaces, plan invite.plans, settings invite.settings default null
) returns invite.hold_reason
language sql immutable
as $$
  select case
    when workspace.suspended_at is not null then 'workspace_suspended'::invite.hold_reason
    when not plan.api_trigger then 'plan_required'
    when survey.disabled_at is not null then 'survey_disabled'
    when survey.state = 'draft' then 'survey_draft'
    when survey.state = 'closed' then 'survey_closed'
    when settings.paused_at is not null then 'sending_paused'
    when workspace.paused_at is not null then 'workspace_paused'
    when survey.paused_at is not null then 'survey_paused'
  end
$$;
comment on function invite.hold_reason(invite.surveys, invite.workspaces, invite.plans, invite.settings) is
  'Why the email of this survey, of this workspace with this plan, is held; null: it may be sent.';
