/*
 * The trigger tokens of a survey whose default texts can be sent as a test. Called by: the HTTP process.
 * Raises: P0002, 42501 (require_role).
 */
create or replace function invite.test_templates(session_hash bytea, survey_id text, max_rows integer default 100) returns setof invite.test_template
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_survey_role(test_templates.session_hash, test_templates.survey_id, 'editor');
  return query
    select t.id, t.name, t.default_subject, coalesce(t.default_reminder_subject, t.default_reminder_message) is not null
    from invite.trigger_token_overview as t
    where t.survey_id = test_templates.survey_id
    order by lower(t.name), t.id
    limit test_templates.max_rows;
end
$$;
comment on function invite.test_templates(bytea, text, integer) is 'The trigger tokens whose default texts can be sent as a test.';
