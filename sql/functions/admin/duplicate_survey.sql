/*
 * Copies all settings except public_url, because the product's page belongs to the other survey, and closes_at, which may be past.
 * id: chosen by the product; null generates one. title: null keeps the survey's title. Raises: P0002, 23505 surveys_pkey.
 */
create or replace function invite.duplicate_survey(survey_id text, id text default null, title text default null) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id text := coalesce(duplicate_survey.id, gen_random_uuid()::text);
begin
  perform invite.require_survey(duplicate_survey.survey_id);
  insert into invite.surveys
  select (jsonb_populate_record(s, jsonb_build_object(
    'id', v_id, 'title', coalesce(duplicate_survey.title, s.title), 'state', 'draft', 'public_url', null, 'disabled_at', null,
    'paused_at', null, 'closes_at', null, 'activated_at', null,
    'deletion_started_at', null, 'questions_version', 1, 'created_at', invite.clock()))).*
  from invite.surveys as s
  where s.id = duplicate_survey.survey_id;
  return v_id;
end
$$;
comment on function invite.duplicate_survey(text, text, text) is
  'Creates a draft with the questions and settings of a survey, without its tokens, invitations and responses. Returns its id.';
