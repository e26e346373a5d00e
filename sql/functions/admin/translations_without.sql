create or replace function invite.translations_without(translations jsonb, names text[]) returns jsonb
language sql immutable parallel safe
as $$
  select jsonb_object_agg(e.key, e.value - array_remove(translations_without.names, null))
  from jsonb_each(translations_without.translations) as e
$$;
comment on function invite.translations_without(jsonb, text[]) is 'Translations without the texts of these names.';
