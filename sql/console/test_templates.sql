create type console.test_template as (
  token_id uuid, token_name text, subject text, has_reminder boolean, language text, translated text[]
);
comment on type console.test_template is
  'A trigger token whose default texts can be sent as a test. has_reminder: it has its own texts for reminders. language: the survey''s. '
  'translated: the languages of its translations and of the survey''s translations.';

create function console.test_templates(session_hash bytea, survey_id text, max_rows integer default 100) returns setof console.test_template
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(test_templates.session_hash, test_templates.survey_id, 'editor');
  return query
    select
      t.id, t.name, t.default_subject, coalesce(t.default_reminder_subject, t.default_reminder_message) is not null, s.language,
      array(
        select k.tag from jsonb_object_keys(t.translations) as k (tag)
        union
        select k.tag from jsonb_object_keys(s.translations) as k (tag)
        order by 1)
    from invite.trigger_token_overview as t
    join invite.surveys as s on s.id = t.survey_id
    where t.survey_id = test_templates.survey_id
    order by lower(t.name), t.id
    limit test_templates.max_rows;
end
$$;
comment on function console.test_templates(bytea, text, integer) is 'The trigger tokens whose default texts can be sent as a test.';
