create or replace function invite.hold_of_plan(plan invite.plans) returns invite.hold_reason
language sql immutable
as $$
  select case when not plan.api_trigger then 'plan_required'::invite.hold_reason end
$$;
comment on function invite.hold_of_plan(invite.plans) is 'Why a plan holds the email of its workspaces; null: it doesn''t.';
