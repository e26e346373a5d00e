/*
 * Activates, closes or puts back a survey on behalf of a member; in the audit log. Returns whether it changed.
 * Called by: the HTTP process. Locks: the survey. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.change_survey_state(session_hash bytea, survey_id text, state invite.survey_state) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_actor text := invite.require_survey_role(change_survey_state.session_hash, change_survey_state.survey_id, 'editor');
  v_survey invite.surveys;
begin
  select s.* into v_survey from invite.surveys as s where s.id = change_survey_state.survey_id for no key update;
  if v_survey.state = change_survey_state.state then
    return false;
  end if;
  perform invite.set_survey_state(change_survey_state.survey_id, change_survey_state.state);
  perform invite.record_audit(
    v_survey.workspace_id, v_actor, 'survey_state_changed', v_survey.title,
    jsonb_build_object('from', v_survey.state, 'to', change_survey_state.state));
  return true;
end
$$;
comment on function invite.change_survey_state(bytea, text, invite.survey_state) is
  'Changes the state of a survey on behalf of an editor. Returns whether it changed.';
