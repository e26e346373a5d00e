/*
 * Why the email of a survey is held; null: it may be sent. The one place of this rule: sending, the views, the pages and the endpoint ask
 * it. (The endpoint accepts requests for a draft or a closed survey: their invitations wait.)
 *
 * One expression over rows, so that the planner puts it into the query that has them: the cast is on a constant, because a cast of the
 * whole expression from text isn't immutable and would be called instead.
 */
create or replace function invite.hold_reason(survey invite.surveys, workspace invite.workspaces, plan invite.plans)
returns invite.hold_reason
language sql immutable
as $$
  select case
    when workspace.suspended_at is not null then 'workspace_suspended'::invite.hold_reason
    when not plan.api_trigger then 'plan_required'
    when survey.disabled_at is not null then 'survey_disabled'
    when survey.state = 'draft' then 'survey_draft'
    when survey.state = 'closed' then 'survey_closed'
  end
$$;
comment on function invite.hold_reason(invite.surveys, invite.workspaces, invite.plans) is
  'Why the email of this survey, of this workspace with this plan, is held; null: it may be sent.';
