create or replace function invite.nearest_translation(translations jsonb, language text, request_language text, own_language text)
returns jsonb
language sql stable parallel safe
as $$
  select jsonb_build_object('language', n.tag) || (nearest_translation.translations -> n.tag)
  from (
    select invite.nearest_language(
      array[nearest_translation.language, nearest_translation.request_language],
      array(select jsonb_object_keys(nearest_translation.translations)), nearest_translation.own_language) as tag
  ) as n
  where n.tag <> nearest_translation.own_language
$$;
comment on function invite.nearest_translation(jsonb, text, text, text) is
  'The texts of the translation that fits the recipient''s language best, else the request''s, with its language; null if none fits, or if the original '
  '(own_language) fits better.';
