create type console.saved_draft as (is_saved boolean, revision uuid, edited_by text, edited_at timestamptz);
comment on type console.saved_draft is
  'What became of a draft. is_saved: false if others have changed the questions meanwhile. revision, edited_by, edited_at: of the draft that is there '
  'now; null if there is none.';

/*
 * base: the revision that was edited; null if there was no draft. A draft of another revision, or another version of the published questions, was
 * saved by someone else meanwhile: nothing is written then.
 * revision: of the new draft, chosen by the caller, who so recognizes it if the reply is lost. questions: null if they are as published, so that
 * there is nothing to keep. keeps_other: whether the draft in whose place this one is put stays in the list, of at most ten.
 * Locks: the draft.
 */
create function console.save_question_draft(
  session_hash bytea, survey_id text, questions jsonb, questions_version integer, base uuid, revision uuid, keeps_other boolean default false
) returns console.saved_draft
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_role(save_question_draft.session_hash, save_question_draft.survey_id, 'editor');
  v_draft invite.question_drafts;
  v_version integer;
  v_questions jsonb;
begin
  select d.* into v_draft from invite.question_drafts as d
  where d.survey_id = save_question_draft.survey_id and d.replaced_at is null
  for update;
  select s.questions_version, s.questions into v_version, v_questions from invite.surveys as s where s.id = save_question_draft.survey_id;
  if v_draft.revision is distinct from save_question_draft.base or v_version <> save_question_draft.questions_version then
    return row(false, v_draft.revision, v_draft.edited_by, v_draft.edited_at)::console.saved_draft;
  end if;

  if save_question_draft.keeps_other then
    update invite.question_drafts as d set replaced_at = invite.clock() where d.survey_id = save_question_draft.survey_id and d.revision = v_draft.revision;
    delete from invite.question_drafts as d
    where d.survey_id = save_question_draft.survey_id and d.revision in (
      select o.revision from invite.question_drafts as o
      where o.survey_id = save_question_draft.survey_id and o.replaced_at is not null
      order by o.replaced_at desc
      offset 10);
  else
    delete from invite.question_drafts as d where d.survey_id = save_question_draft.survey_id and d.revision = v_draft.revision;
  end if;
  if save_question_draft.questions is null then
    return row(true, null, null, null)::console.saved_draft;
  end if;
  insert into invite.question_drafts (survey_id, revision, questions, questions_version, edited_by, edited_at)
  values (
    save_question_draft.survey_id, save_question_draft.revision,
    invite.with_choice_ids(coalesce(v_draft.questions, v_questions), save_question_draft.questions), coalesce(v_draft.questions_version, v_version),
    v_member.email, invite.clock())
  on conflict do nothing;
  return (
    select row(d.revision = save_question_draft.revision, d.revision, d.edited_by, d.edited_at)::console.saved_draft
    from invite.question_drafts as d
    where d.survey_id = save_question_draft.survey_id and d.replaced_at is null);
end
$$;
comment on function console.save_question_draft(bytea, text, jsonb, integer, uuid, uuid, boolean) is
  'Keeps the questions of a survey as an editor has typed them, unless somebody else has changed them meanwhile.';
