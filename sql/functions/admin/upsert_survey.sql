/*
 * A product calls it whenever one of its surveys changes. A call that changes nothing writes and locks nothing.
 * id: chosen by the product; null generates one. A new survey is by default a draft with the service's own page and questions.
 * An empty public_url or thanks removes it. Questions that were asked before are kept with their answers (past_questions). A question keeps
 * its id only with the same type and scale.
 * Raises: P0002 if there is no such workspace, 23502 without a title for a new one, 23514 if the survey is another workspace's.
 */
create or replace function invite.upsert_survey(
  workspace_id text,
  id text default null,
  title text default null,
  state invite.survey_state default null,
  public_url text default null,
  questions jsonb default null,
  open_responses boolean default null,
  thanks text default null
) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id text := coalesce(upsert_survey.id, gen_random_uuid()::text);
begin
  perform invite.require_workspace(upsert_survey.workspace_id);

  if not exists (select from invite.surveys as known where known.id = v_id) then
    if upsert_survey.questions is null then
      insert into invite.surveys (id, workspace_id, title, state)
      values (v_id, upsert_survey.workspace_id, upsert_survey.title, coalesce(upsert_survey.state, 'draft'))
      on conflict on constraint surveys_pkey do nothing;
    else
      insert into invite.surveys (id, workspace_id, title, state, questions)
      values (
        v_id, upsert_survey.workspace_id, upsert_survey.title, coalesce(upsert_survey.state, 'draft'), upsert_survey.questions)
      on conflict on constraint surveys_pkey do nothing;
    end if;
  end if;

  -- Of s alone: what another transaction has just changed is read again once its lock is free.
  update invite.surveys as s
  set
    title = coalesce(upsert_survey.title, s.title), state = coalesce(upsert_survey.state, s.state),
    public_url = nullif(coalesce(upsert_survey.public_url, s.public_url), ''), questions = coalesce(upsert_survey.questions, s.questions),
    open_responses = coalesce(upsert_survey.open_responses, s.open_responses), thanks = nullif(coalesce(upsert_survey.thanks, s.thanks), '')
  where s.id = v_id and s.workspace_id = upsert_survey.workspace_id
    and (s.title, s.state, s.public_url, s.questions, s.open_responses, s.thanks) is distinct from (
      coalesce(upsert_survey.title, s.title), coalesce(upsert_survey.state, s.state),
      nullif(coalesce(upsert_survey.public_url, s.public_url), ''), coalesce(invite.with_choice_ids(s.questions, upsert_survey.questions), s.questions),
      coalesce(upsert_survey.open_responses, s.open_responses), nullif(coalesce(upsert_survey.thanks, s.thanks), ''));
  if not found and not exists (select from invite.surveys as s where s.id = v_id and s.workspace_id = upsert_survey.workspace_id) then
    raise exception 'survey % belongs to another workspace (surveys_other_workspace)', upsert_survey.id
      using errcode = '23514', constraint = 'surveys_other_workspace';
  end if;
  return v_id;
end
$$;
comment on function invite.upsert_survey(text, text, text, invite.survey_state, text, jsonb, boolean, text) is
  'Creates or updates a survey; null arguments keep what is there. Returns its id.';
