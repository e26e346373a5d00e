create or replace function invite.title_of(survey invite.surveys, language text, request_language text) returns text
language sql immutable parallel safe
as $$
  select coalesce(
    invite.nearest_translation((survey).translations, title_of.language, title_of.request_language, (survey).language) ->> 'title',
    (survey).title)
$$;
comment on function invite.title_of(invite.surveys, text, text) is 'The title of a survey in the recipient''s language, if it is translated.';
