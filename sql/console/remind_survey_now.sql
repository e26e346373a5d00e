create function console.remind_survey_now(session_hash bytea, survey_id text, after_id bigint) returns invite.remind_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(remind_survey_now.session_hash, remind_survey_now.survey_id, 'editor');
  return invite.remind_survey_now(remind_survey_now.survey_id, remind_survey_now.after_id);
end
$$;
comment on function console.remind_survey_now(bytea, text, bigint) is
  'One step of making the next reminders of a survey due now on behalf of an editor.';
