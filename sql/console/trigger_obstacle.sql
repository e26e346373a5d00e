/*
 * What at present refuses every request to a survey, whatever its token (in the order of check_triggers); null: nothing does.
 * For editors and up. Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.trigger_obstacle(session_hash bytea, survey_id text) returns invite.trigger_outcome
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey_role(trigger_obstacle.session_hash, trigger_obstacle.survey_id, 'editor');
  return (
    select
      case
        when w.suspended_at is not null then 'workspace_disabled'
        when not p.api_trigger then 'plan_required'
        when s.disabled_at is not null then 'survey_disabled'
      end::invite.trigger_outcome
    from invite.surveys as s
    join invite.workspaces as w on w.id = s.workspace_id
    join invite.plans as p on p.id = w.plan_id
    where s.id = trigger_obstacle.survey_id);
end
$$;
comment on function invite.trigger_obstacle(bytea, text) is 'What at present refuses every trigger request to a survey; null: nothing does.';
