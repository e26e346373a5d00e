/*
 * A text whose translation stays as it was keeps what its original said then, so that saving another text doesn't hide that this one is outdated.
 * checked: names of texts that somebody has looked at: title, thanks, button_label, and for questions such as label.score or choice.where.Shop.
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
    'button_label', case
      when b.of ? 'button_label' and b.of -> 'button_label' = translation_originals.translation -> 'button_label'
        and not 'button_label' = any (translation_originals.checked)
      then b.originals -> 'button_label' else to_jsonb((survey).button_label) end,
    'questions', coalesce((
      select jsonb_agg(
        q.value || coalesce((
          select jsonb_object_agg(p.part, o.value -> p.part)
          from unnest(array['label', 'min_label', 'max_label', 'low_thanks', 'middle_thanks', 'high_thanks']) as p (part)
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
    -- What renamed choices were called, as far as their translation is still the one of that name.
    || coalesce((
      select jsonb_build_object('choices', jsonb_object_agg(k.question, k.names))
      from (
        select c.key as question, jsonb_object_agg(n.key, n.value) as names
        from jsonb_each(coalesce(b.originals -> 'choices', '{}')) as c
        cross join lateral jsonb_each(c.value) as n
        where b.of #> array['questions', c.key, 'choices', n.key] = translation_originals.translation #> array['questions', c.key, 'choices', n.key]
          and not 'choice.' || c.key || '.' || n.key = any (translation_originals.checked)
        group by c.key
      ) as k
      having count(*) > 0
    ), '{}')
  from (
    select (survey).translations -> translation_originals.language as of, (survey).translated_from -> translation_originals.language as originals
  ) as b
$$;
comment on function invite.translation_originals(invite.surveys, text, jsonb, text[]) is
  'What a survey''s texts said when they were translated, once a translation of it is set: the text of surveys.translated_from for its language.';
