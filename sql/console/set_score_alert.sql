create function console.set_score_alert(session_hash bytea, survey_id text, question text, below integer, time_zone text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member constant invite.members := console.require_survey_role(set_score_alert.session_hash, set_score_alert.survey_id, 'viewer');
begin
  perform invite.set_score_alert(
    v_member.workspace_id, v_member.email, set_score_alert.survey_id, set_score_alert.question, set_score_alert.below, set_score_alert.time_zone);
end
$$;
comment on function console.set_score_alert(bytea, text, text, integer, text) is 'Sets a member''s own rule for a survey; below: null ends it.';
