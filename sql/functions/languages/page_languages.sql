create or replace function invite.page_languages(survey invite.surveys, questions jsonb default null) returns text[]
language sql immutable parallel safe
set jit = off
as $$
  select coalesce(array_agg(e.key), '{}')
  from jsonb_each((survey).translations) as e
  where (survey).public_url is not null
    or invite.is_translated(coalesce(page_languages.questions, (survey).questions), (survey).thanks, (survey).button_label, e.value)
$$;
comment on function invite.page_languages(invite.surveys, jsonb) is
  'The languages of the translations that have each text of a survey''s page, but for the title. questions: those that are shown; null: the current ones.';
