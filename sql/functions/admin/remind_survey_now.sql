/*
 * A step takes at most max_rows sent invitations after after_id, in the order of their ids, as retry_survey does.
 */
create or replace function invite.remind_survey_now(
  survey_id text, after_id bigint default 0, max_rows integer default 10000, at timestamptz default null
) returns invite.remind_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_candidates bigint[];
  v_result invite.remind_result;
begin
  perform invite.require_survey(remind_survey_now.survey_id);

  v_candidates := invite.reminder_candidates(remind_survey_now.survey_id, remind_survey_now.after_id, remind_survey_now.max_rows);
  v_result := invite.remind_invitations(v_candidates, remind_survey_now.at);
  perform invite.record_message_audit(remind_survey_now.survey_id, 'reminded_now', remind_survey_now.survey_id, v_result.reminded);
  v_result.next_id := case when cardinality(v_candidates) >= remind_survey_now.max_rows then v_candidates[cardinality(v_candidates)] end;
  return v_result;
end
$$;
comment on function invite.remind_survey_now(text, bigint, integer, timestamptz) is
  'One bounded step of making the next reminders of a survey due now; call again with after_id => next_id while that is not null.';
