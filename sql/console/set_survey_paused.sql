create function console.set_survey_paused(session_hash bytea, survey_id text, paused boolean) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(set_survey_paused.session_hash, set_survey_paused.survey_id, 'admin');
  perform invite.set_survey_paused(set_survey_paused.survey_id, set_survey_paused.paused);
end
$$;
comment on function console.set_survey_paused(bytea, text, boolean) is 'Pauses or resumes sending for a survey on behalf of an owner or admin.';
