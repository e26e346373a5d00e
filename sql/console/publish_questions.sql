/*
 * questions: what is published of the draft, without what was removed. questions_version and revision: the published questions and the draft that the
 * editor has seen (null: there was no draft). The draft is then gone, with those that it had replaced.
 * Locks: the survey, then the draft. Raises: 23514 surveys_changed_meanwhile, and as upsert_survey.
 */
create function console.publish_questions(session_hash bytea, survey_id text, questions jsonb, questions_version integer, revision uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(publish_questions.session_hash, publish_questions.survey_id, 'editor');
  v_version integer;
  v_revision uuid;
  v_draft jsonb;
begin
  select s.questions_version into v_version from invite.surveys as s where s.id = publish_questions.survey_id for no key update;
  select d.revision, d.questions into v_revision, v_draft from invite.question_drafts as d
  where d.survey_id = publish_questions.survey_id and d.replaced_at is null
  for update;
  if v_version is distinct from publish_questions.questions_version or v_revision is distinct from publish_questions.revision then
    raise exception 'the questions were changed meanwhile (surveys_changed_meanwhile)'
      using errcode = '23514', constraint = 'surveys_changed_meanwhile';
  end if;
  perform invite.upsert_survey(v_member.workspace_id, publish_questions.survey_id,
    questions => invite.with_choice_ids(v_draft, publish_questions.questions));
  delete from invite.question_drafts as d where d.survey_id = publish_questions.survey_id;
end
$$;
comment on function console.publish_questions(bytea, text, jsonb, integer, uuid) is 'Puts the draft of a survey''s questions in the place of the published ones.';
