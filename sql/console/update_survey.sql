/*
 * Null arguments keep what is there, as in upsert_survey. questions_version: the version of the questions that were edited, because another
 * editor may have changed them since.
 * Locks: the survey. Raises: 23514 surveys_changed_meanwhile, and as upsert_survey.
 */
create function console.update_survey(
  session_hash bytea, survey_id text, title text default null, public_url text default null, open_responses boolean default null,
  thanks text default null, questions jsonb default null, questions_version integer default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(update_survey.session_hash, update_survey.survey_id, 'editor');
  v_version integer;
begin
  select s.questions_version into v_version from invite.surveys as s where s.id = update_survey.survey_id for no key update;
  if update_survey.questions is not null and v_version is distinct from update_survey.questions_version then
    raise exception 'the questions were changed meanwhile (surveys_changed_meanwhile)'
      using errcode = '23514', constraint = 'surveys_changed_meanwhile';
  end if;
  perform invite.upsert_survey(
    v_member.workspace_id, update_survey.survey_id, update_survey.title, null, update_survey.public_url, update_survey.questions,
    update_survey.open_responses, update_survey.thanks);
end
$$;
comment on function console.update_survey(bytea, text, text, text, boolean, text, jsonb, integer) is
  'Changes the questions and settings of a survey on behalf of an editor.';
