create or replace function invite.page_translation(survey invite.surveys, language text, request_language text) returns jsonb
language sql stable parallel safe
as $$
  select jsonb_build_object('title', coalesce(n.translation ->> 'title', (survey).title), 'language', n.translation -> 'language')
  from (
    select case when (survey).translations is not null then
      invite.nearest_translation(
        (survey).translations, page_translation.language, page_translation.request_language, (survey).language)
    end as translation
  ) as n
  where (survey).public_url is not null or invite.is_translated((survey).questions, (survey).thanks, n.translation)
$$;
comment on function invite.page_translation(invite.surveys, text, text) is
  'The title of a survey for the recipient''s language, and the language of the page: null if the service says all its texts in every language. '
  'Null: the page doesn''t exist in the recipient''s language.';
