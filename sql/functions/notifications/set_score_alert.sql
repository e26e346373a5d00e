/*
 * below: null ends it. time_zone: of the times in the member's emails, if the member has none yet; one that isn't known counts as none. Locks: as notified_member. Raises: as notified_member; P0002 if there is no such survey in the workspace; 23514
 * score_alerts_question_known, score_alerts_below_range, score_alerts_many.
 */
create or replace function invite.set_score_alert(
  workspace_id text, email text, survey_id text, question text, below integer, time_zone text default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.notified_members;
  v_survey invite.surveys;
  v_scale record;
begin
  select s.* into v_survey from invite.surveys as s where s.id = set_score_alert.survey_id and s.workspace_id = set_score_alert.workspace_id;
  if v_survey.id is null then
    raise exception 'workspace % has no survey %', set_score_alert.workspace_id, set_score_alert.survey_id using errcode = 'P0002';
  end if;
  v_member := invite.notified_member(set_score_alert.workspace_id, set_score_alert.email);
  if set_score_alert.below is null then
    delete from invite.score_alerts as a where a.survey_id = v_survey.id and a.notified_id = v_member.id;
    if found then
      perform invite.record_audit(
        v_member.workspace_id, invite.current_actor(), 'notifications_changed', v_member.email,
        jsonb_build_object('survey', v_survey.title, 'scores_below', 'none'));
    end if;
    return;
  end if;

  select coalesce((q.value ->> 'min')::integer, 0) as lowest, coalesce((q.value ->> 'max')::integer, 10) as highest into v_scale
  from jsonb_array_elements(v_survey.questions) as q
  where q.value ->> 'id' = set_score_alert.question and q.value ->> 'type' = 'score';
  if not found then
    raise exception 'the survey has no such question with a score (score_alerts_question_known)'
      using errcode = '23514', constraint = 'score_alerts_question_known';
  elsif set_score_alert.below not between v_scale.lowest + 1 and v_scale.highest + 1 then
    raise exception 'a limit is between % and % (score_alerts_below_range)', v_scale.lowest + 1, v_scale.highest + 1
      using errcode = '23514', constraint = 'score_alerts_below_range';
  elsif (select count(*) from invite.score_alerts as a where a.notified_id = v_member.id and a.survey_id <> v_survey.id) >= 500 then
    raise exception 'a member has at most 500 rules (score_alerts_many)' using errcode = '23514', constraint = 'score_alerts_many';
  end if;
  update invite.notified_members as n set time_zone = set_score_alert.time_zone
  where n.id = v_member.id and n.time_zone is null and invite.is_time_zone(set_score_alert.time_zone);
  insert into invite.score_alerts as a (survey_id, notified_id, question, below)
  values (v_survey.id, v_member.id, set_score_alert.question, set_score_alert.below)
  on conflict on constraint score_alerts_pkey
  do update set question = excluded.question, below = excluded.below where (a.question, a.below) is distinct from (excluded.question, excluded.below);
  if found then
    perform invite.record_audit(
      v_member.workspace_id, invite.current_actor(), 'notifications_changed', v_member.email,
      jsonb_build_object('survey', v_survey.title, 'scores_below', set_score_alert.below));
  end if;
end
$$;
comment on function invite.set_score_alert(text, text, text, text, integer, text) is
  'Tells a member of each score below a limit from now on, by an email at once; with null, no longer.';
