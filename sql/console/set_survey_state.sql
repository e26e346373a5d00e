/*
 * Locks: the survey.
 */
create function console.set_survey_state(session_hash bytea, survey_id text, state invite.survey_state) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(set_survey_state.session_hash, set_survey_state.survey_id, 'editor');
  v_survey invite.surveys;
begin
  select s.* into v_survey from invite.surveys as s where s.id = set_survey_state.survey_id for no key update;
  if v_survey.state = set_survey_state.state then
    return false;
  end if;
  perform invite.set_survey_state(set_survey_state.survey_id, set_survey_state.state);
  return true;
end
$$;
comment on function console.set_survey_state(bytea, text, invite.survey_state) is
  'Changes the state of a survey on behalf of an editor. Returns whether it changed.';
