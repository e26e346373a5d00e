create type console.question_draft as (
  revision uuid, questions jsonb, questions_version integer, edited_by text, edited_at timestamptz, replaced_at timestamptz
);
comment on type console.question_draft is
  'Questions of a survey that aren''t published. replaced_at: when another editor put others in their place; null: this is the draft.';

create function console.question_drafts(session_hash bytea, survey_id text) returns setof console.question_draft
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(question_drafts.session_hash, question_drafts.survey_id, 'editor');
  return query
    select d.revision, d.questions, d.questions_version, d.edited_by, d.edited_at, d.replaced_at
    from invite.question_drafts as d
    where d.survey_id = question_drafts.survey_id
    order by d.replaced_at desc nulls first, d.revision;
end
$$;
comment on function console.question_drafts(bytea, text) is 'The draft of a survey''s questions, then those that it has replaced, the newest first.';
