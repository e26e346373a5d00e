/*
 * A text whose translation stays as it was keeps what its original said then, so that saving another text doesn't hide that this one is outdated.
 * A translation is made from the original that its translator saw. If another editor has changed that one since, what it said isn't known any
 * more: an empty text stands for it, which is never what an original says, so that the translation is marked.
 *
 * saw: the first 8 characters of the MD5 sum of what the translator saw (digestOf in src/console/translations/originals.ts); null: the original
 * as it is.
 */
create or replace function invite.translated_original(
  before jsonb, after jsonb, original_before jsonb, original text, saw text, checked boolean
) returns jsonb
language sql immutable parallel safe
as $$
  select case
    when before = after and not checked and original_before <> 'null' then original_before
    when saw <> left(md5(original), 8) then to_jsonb(''::text)
    else to_jsonb(original)
  end
$$;
comment on function invite.translated_original(jsonb, jsonb, jsonb, text, text, boolean) is
  'What an original said when it was translated, once its translation (before) is set (after): a text of translated_from.';
