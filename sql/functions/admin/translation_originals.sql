/*
 * checked: names of texts that somebody has looked at: title, thanks, button_label, and for questions such as label.score or choice.where.Shop.
 * saw: by these names, what translated_original says.
 */
create or replace function invite.translation_originals(survey invite.surveys, language text, translation jsonb, checked text[], saw jsonb)
returns jsonb
language sql stable
set jit = off
as $$
  select (
    select jsonb_object_agg(
      t.name,
      invite.translated_original(
        b.of -> t.name, translation_originals.translation -> t.name, b.originals -> t.name, t.original, translation_originals.saw ->> t.name,
        t.name = any (translation_originals.checked)))
    from (values ('title', (survey).title), ('thanks', (survey).thanks), ('button_label', (survey).button_label)) as t (name, original)
  ) || jsonb_build_object('questions', coalesce((
    select jsonb_agg(
      q.value || coalesce((
        select jsonb_object_agg(
          p.part,
          invite.translated_original(
            b.of #> array['questions', q.id, p.part], translation_originals.translation #> array['questions', q.id, p.part], o.value -> p.part,
            q.value ->> p.part, translation_originals.saw ->> (p.part || '.' || q.id), p.part || '.' || q.id = any (translation_originals.checked)))
        from unnest(array['label', 'min_label', 'max_label', 'low_thanks', 'middle_thanks', 'high_thanks']) as p (part)
        where q.value ? p.part
      ), '{}')
      order by q.ordinality)
    from (
      select e.value, e.ordinality, e.value ->> 'id' as id from jsonb_array_elements((survey).questions) with ordinality as e
    ) as q
    left join jsonb_array_elements(coalesce(b.originals -> 'questions', '[]')) as o (value) on o.value ->> 'id' = q.id
  ), '[]'))
  -- What renamed choices were called. Of others the name is their original.
  || coalesce((
    select jsonb_build_object('choices', jsonb_object_agg(k.question, k.names))
    from (
      select c.question, jsonb_object_agg(c.name, c.original) as names
      from (
        select
          q ->> 'key' as question, n ->> 'key' as name,
          invite.translated_original(
            b.of #> array['questions', q ->> 'key', 'choices', n ->> 'key'], n -> 'value', b.originals #> array['choices', q ->> 'key', n ->> 'key'],
            n ->> 'key', translation_originals.saw ->> concat_ws('.', 'choice', q ->> 'key', n ->> 'key'),
            concat_ws('.', 'choice', q ->> 'key', n ->> 'key') = any (translation_originals.checked)) as original
        from jsonb_path_query(translation_originals.translation, '$.questions.keyvalue()', silent => true) as q
        cross join lateral jsonb_path_query(q -> 'value', '$.choices.keyvalue()', silent => true) as n
      ) as c
      where c.original <> to_jsonb(c.name)
      group by c.question
    ) as k
    having count(*) > 0
  ), '{}')
  from (
    select (survey).translations -> translation_originals.language as of, (survey).translated_from -> translation_originals.language as originals
  ) as b
$$;
comment on function invite.translation_originals(invite.surveys, text, jsonb, text[], jsonb) is
  'What a survey''s texts said when they were translated, once a translation of it is set: the text of surveys.translated_from for its language.';
