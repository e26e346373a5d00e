/*
 * A text whose translation stays as it was keeps what its original said then, so that saving another text doesn't hide that this one is outdated.
 * checked: names of texts that somebody has looked at: title, thanks, and for questions such as label.score.
 */
create or replace function invite.translation_originals(survey invite.surveys, language text, translation jsonb, checked text[])
returns jsonb
language sql stable
set jit = off
as $$
  select jsonb_build_object(
    'title', case
      when b.of ? 'title' and b.of -> 'title' = translation_originals.translation -> 'title' and not 'title' = any (translation_originals.checked)
      then b.originals -> 'title' else to_jsonb((survey).title) end,
    'thanks', case
      when b.of ? 'thanks' and b.of -> 'thanks' = translation_originals.translation -> 'thanks' and not 'thanks' = any (translation_originals.checked)
      then b.originals -> 'thanks' else to_jsonb((survey).thanks) end,
    'questions', coalesce((
      select jsonb_agg(
        q.value || coalesce((
          select jsonb_object_agg(p.part, o.value -> p.part)
          from unnest(array['label', 'min_label', 'max_label']) as p (part)
          where o.value ? p.part
            and b.of #> array['questions', q.id, p.part] = translation_originals.translation #> array['questions', q.id, p.part]
            and not p.part || '.' || q.id = any (translation_originals.checked)
        ), '{}')
        order by q.ordinality)
      from (
        select e.value, e.ordinality, e.value ->> 'id' as id from jsonb_array_elements((survey).questions) with ordinality as e
      ) as q
      left join jsonb_array_elements(coalesce(b.originals -> 'questions', '[]')) as o (value) on o.value ->> 'id' = q.id
    ), '[]'))
  from (
    select (survey).translations -> translation_originals.language as of, (survey).translated_from -> translation_originals.language as originals
  ) as b
$$;
comment on function invite.translation_originals(invite.surveys, text, jsonb, text[]) is
  'What a survey''s texts said when they were translated, once a translation of it is set: the text of surveys.translated_from for its language.';
