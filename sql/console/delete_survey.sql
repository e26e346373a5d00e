/*
 * Runs the first step of delete_survey. If rows are left, a job runs the other steps.
 */
create function console.delete_survey(session_hash bytea, survey_id text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_more boolean;
begin
  perform console.require_survey_role(delete_survey.session_hash, delete_survey.survey_id, 'admin');
  perform console.require_recent_sign_in(delete_survey.session_hash);
  v_more := (invite.delete_survey(delete_survey.survey_id, 200)).more;
  if v_more then
    perform graphile_worker.add_job(
      'delete_survey', json_build_object('survey_id', delete_survey.survey_id), job_key => 'delete_survey ' || delete_survey.survey_id);
  end if;
  return not v_more;
end
$$;
comment on function console.delete_survey(bytea, text) is
  'Deletes a survey with all that belongs to it on behalf of an owner or admin. Returns whether that is done; otherwise a job continues.';
