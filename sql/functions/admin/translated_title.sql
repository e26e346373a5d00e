create or replace function invite.translated_title(survey invite.surveys, language text, request_language text) returns text
language sql immutable parallel safe
as $$
  select coalesce(n.translation ->> 'title', (survey).title)
  from (
    select invite.nearest_translation(
      (survey).translations, translated_title.language, translated_title.request_language, (survey).language) as translation
  ) as n
  where (survey).public_url is not null or invite.is_translated((survey).questions, (survey).thanks, n.translation)
$$;
comment on function invite.translated_title(invite.surveys, text, text) is
  'The title of a survey for the recipient''s language, its own if that has none; null: its page doesn''t exist in that language.';
