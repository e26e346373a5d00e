create or replace function invite.with_language(by_language jsonb, language text, texts jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select nullif(
    coalesce(with_language.by_language, '{}') - with_language.language
      || case when with_language.texts is null then '{}' else jsonb_build_object(with_language.language, with_language.texts) end,
    '{}')
$$;
comment on function invite.with_language(jsonb, text, jsonb) is
  'Texts by language with those of one language replaced, or removed where they are null; null if none is left.';
