/*
 * What a workspace leaves out in de-AT, it says as in de. Only the same language counts: readers of Catalan get Spanish, but a workspace that
 * words Catalan doesn't leave half of it in Spanish. src/languages/speech.ts does the same.
 */
create or replace function invite.wording_base(language text) returns text
language sql stable parallel safe
as $$
  select n.tag
  from (
    select invite.nearest_language(array[wording_base.language], array(select distinct w.language from invite.service_words as w), null) as tag
  ) as n
  where split_part(n.tag, '-', 1) = split_part(wording_base.language, '-', 1)
$$;
comment on function invite.wording_base(text) is
  'The language of the service over which a workspace words this one; null: the service doesn''t speak it, so the workspace words all of it.';
