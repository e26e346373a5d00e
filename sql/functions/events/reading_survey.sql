/*
 * Readers read by survey, so that a token that replaces another continues at the same position.
 */
create or replace function invite.reading_survey(secret_hash bytea) returns text
language sql stable
as $$
  select case when w.moved_to is null then t.survey_id else invite.refuse_moved(w.id, w.moved_to) end
  from invite.tokens_of(reading_survey.secret_hash) as k
  join invite.trigger_tokens as t on t.id = k.id
  join invite.surveys as s on s.id = t.survey_id
  join invite.workspaces as w on w.id = s.workspace_id
  where t.deleted_at is null and t.allow_reading
$$;
comment on function invite.reading_survey(bytea) is 'The survey of the token with this secret, if it may read over HTTP.';
