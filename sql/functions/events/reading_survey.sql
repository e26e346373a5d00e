/*
 * Readers read by survey, so that a token that replaces another continues at the same position.
 */
create or replace function invite.reading_survey(secret_hash bytea) returns text
language sql stable
as $$
  select t.survey_id
  from invite.tokens_of(reading_survey.secret_hash) as k
  join invite.trigger_tokens as t on t.id = k.id
  where t.deleted_at is null and t.allow_reading
$$;
comment on function invite.reading_survey(bytea) is 'The survey of the token with this secret, if it may read over HTTP.';
