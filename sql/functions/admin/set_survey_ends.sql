/*
 * ends: such as {"link_days": 30, "response_limit": 500, "closes_at": "2030-12-03T12:00:00Z"}, named as the columns of surveys. What is left out
 * stays; null removes it. A limit that the responses have reached closes the survey at once. Nothing here reopens one: set_survey_state does.
 * Locks: the survey's row; for a limit for update, so that it waits for responses that don't lock the row against it. Raises: P0002, 23514 for
 * a value out of range, a date in the past (surveys_closes_at_past) or an unknown end (surveys_unknown_end).
 */
create or replace function invite.set_survey_ends(survey_id text, ends jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old invite.surveys;
  v_new invite.surveys;
begin
  perform invite.require_known(set_survey_ends.ends, '{link_days,response_limit,closes_at}', 'a survey has no end', 'surveys_unknown_end');
  perform invite.require_survey(set_survey_ends.survey_id);
  if set_survey_ends.ends ? 'response_limit' then
    perform from invite.surveys as s where s.id = set_survey_ends.survey_id for update;
  end if;
  select s.* into v_old from invite.surveys as s where s.id = set_survey_ends.survey_id for no key update;
  v_new := jsonb_populate_record(v_old, set_survey_ends.ends);
  if v_new is distinct from v_old then
    update invite.surveys as s
    set link_days = v_new.link_days, response_limit = v_new.response_limit, closes_at = v_new.closes_at
    where s.id = v_old.id;
  end if;
end
$$;
comment on function invite.set_survey_ends(text, jsonb) is 'Sets what ends a survey and its links by itself: link_days, response_limit, closes_at.';
