/*
 * rules: such as {"rest_days": 30, "open_hours": "{[480,1200)}", "closed_days": "{[2026-12-24,2026-12-27)}", "time_zone": "Europe/Berlin",
 * "max_delay_hours": 168}, named as the columns of workspaces. A rule that is left out stays; null removes it.
 * The triggers of workspaces check the values, and name in the audit log what changed.
 * Locks: the workspace's row. Raises: P0002, 23514 for a value out of range or an unknown rule (workspaces_unknown_rule).
 */
create or replace function invite.set_workspace_rules(workspace_id text, rules jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old invite.workspaces;
  v_new invite.workspaces;
begin
  perform invite.require_known(
    set_workspace_rules.rules, '{time_zone,open_hours,closed_days,rest_days,max_delay_hours}', 'a workspace has no rule', 'workspaces_unknown_rule');
  perform invite.require_workspace(set_workspace_rules.workspace_id);
  select w.* into v_old from invite.workspaces as w where w.id = set_workspace_rules.workspace_id for no key update;
  v_new := jsonb_populate_record(v_old, set_workspace_rules.rules);
  if v_new is distinct from v_old then
    update invite.workspaces as w
    set
      time_zone = v_new.time_zone, open_hours = v_new.open_hours, closed_days = v_new.closed_days, rest_days = v_new.rest_days,
      max_delay_hours = v_new.max_delay_hours
    where w.id = v_old.id;
  end if;
end
$$;
comment on function invite.set_workspace_rules(text, jsonb) is 'Changes the given rules about when a workspace''s emails may leave.';
