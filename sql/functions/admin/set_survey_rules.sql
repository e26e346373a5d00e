/*
 * rules: such as {"time_zone": "Asia/Tokyo", "max_delay_hours": 48}, as for set_workspace_rules. Null: the workspace's counts.
 * Locks: the survey's row. Raises: P0002, 23514 for a value out of range or an unknown rule (surveys_unknown_rule).
 */
create or replace function invite.set_survey_rules(survey_id text, rules jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old invite.surveys;
  v_new invite.surveys;
begin
  perform invite.require_known(set_survey_rules.rules, '{time_zone,max_delay_hours}', 'a survey has no rule', 'surveys_unknown_rule');
  perform invite.require_survey(set_survey_rules.survey_id);
  select s.* into v_old from invite.surveys as s where s.id = set_survey_rules.survey_id for no key update;
  v_new := jsonb_populate_record(v_old, set_survey_rules.rules);
  if v_new is distinct from v_old then
    update invite.surveys as s set time_zone = v_new.time_zone, max_delay_hours = v_new.max_delay_hours where s.id = v_old.id;
  end if;
end
$$;
comment on function invite.set_survey_rules(text, jsonb) is 'Changes the given rules about when a survey''s emails may leave.';
