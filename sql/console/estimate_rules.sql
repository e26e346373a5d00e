/*
 * For the question before rules are saved. rules: as for set_workspace_rules or, with a survey, set_survey_rules. They are set and taken back
 * at once, so that what is wrong with them is raised as when they are saved.
 * Raises: P0002, 23514 as the setting functions.
 */
create function console.estimate_rules(
  session_hash bytea, workspace_id text, rules jsonb, survey_id text default null, max_count integer default 10001, at timestamptz default null,
  time_zone text default null
) returns invite.forecast
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace invite.workspaces;
  v_survey invite.surveys;
begin
  perform console.require_role(
    estimate_rules.session_hash, estimate_rules.workspace_id,
    case when estimate_rules.survey_id is null then 'admin'::invite.member_role else 'editor' end);
  select s.* into v_survey from invite.surveys as s where s.id = estimate_rules.survey_id and s.workspace_id = estimate_rules.workspace_id;
  if estimate_rules.survey_id is not null and not found then
    raise exception 'there is no survey % in this workspace', estimate_rules.survey_id using errcode = 'P0002';
  end if;
  begin
    if v_survey.id is null then
      perform invite.set_workspace_rules(estimate_rules.workspace_id, estimate_rules.rules);
    else
      perform invite.set_survey_rules(v_survey.id, estimate_rules.rules);
    end if;
    select w.* into v_workspace from invite.workspaces as w where w.id = estimate_rules.workspace_id;
    select s.* into v_survey from invite.surveys as s where s.id = v_survey.id;
    -- What the block has written is undone; its variables stay.
    raise exception using errcode = 'IT200';
  exception
    when sqlstate 'IT200' then null;
  end;
  return invite.forecast(
    v_workspace, v_survey, estimate_rules.time_zone, estimate_rules.max_count,
    invite.now_of(v_workspace.id, invite.owner_time(estimate_rules.at)), looks_again => true);
end
$$;
comment on function console.estimate_rules(bytea, text, jsonb, text, integer, timestamptz, text) is
  'The forecast of what waits or is scheduled, by rules that aren''t saved yet.';
