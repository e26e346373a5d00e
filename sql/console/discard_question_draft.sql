/*
 * revision: the draft that the editor has seen. Locks: the draft. Raises: 23514 surveys_changed_meanwhile if somebody has edited it since.
 */
create function console.discard_question_draft(session_hash bytea, survey_id text, revision uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_revision uuid;
begin
  perform console.require_survey_role(discard_question_draft.session_hash, discard_question_draft.survey_id, 'editor');
  select d.revision into v_revision from invite.question_drafts as d
  where d.survey_id = discard_question_draft.survey_id and d.replaced_at is null
  for update;
  if v_revision <> discard_question_draft.revision then
    raise exception 'the questions were changed meanwhile (surveys_changed_meanwhile)'
      using errcode = '23514', constraint = 'surveys_changed_meanwhile';
  end if;
  delete from invite.question_drafts as d where d.survey_id = discard_question_draft.survey_id;
end
$$;
comment on function console.discard_question_draft(bytea, text, uuid) is
  'Deletes the draft of a survey''s questions, with those that it had replaced. The published ones stay.';
