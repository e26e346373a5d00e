create or replace function invite.page_translation(
  survey invite.surveys, language text, request_language text, languages text[] default null
) returns jsonb
language sql stable parallel safe
as $$
  select case
    when n.tag <> (survey).language then jsonb_build_object(
      'title', coalesce((survey).translations -> n.tag ->> 'title', (survey).title), 'language', n.tag)
    when (survey).public_url is not null or invite.is_translated((survey).questions, (survey).thanks, (survey).button_label, null) then jsonb_build_object(
      'title', (survey).title, 'language', null)
  end
  from (
    select case when (survey).translations is not null then
      invite.nearest_language(
        array[page_translation.language, page_translation.request_language],
        coalesce(page_translation.languages, invite.page_languages(survey)), (survey).language)
    end as tag
  ) as n
$$;
comment on function invite.page_translation(invite.surveys, text, text, text[]) is
  'The title of a survey for the recipient''s language, and the language of the page, of those that have all its texts: null if the service says them all '
  'in every language. Null: the page doesn''t exist in the recipient''s language. languages: as page_languages, from a caller that has them.';
