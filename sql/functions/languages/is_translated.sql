/*
 * No translation is needed by a text that a new survey begins with, because the service says it in each of its languages, or by one of numbers
 * alone. translation: as nearest_translation.
 */
create or replace function invite.is_translated(questions jsonb, thanks text, button_label text, translation jsonb) returns boolean
language sql immutable parallel safe
set jit = off
as $$
  select not exists (
    select
    from (
      select is_translated.thanks as own, is_translated.translation ->> 'thanks' as translated
      union all
      select is_translated.button_label, is_translated.translation ->> 'button_label'
      union all
      select x.own, x.translated
      from jsonb_array_elements(is_translated.questions) as q
      cross join lateral (select is_translated.translation -> 'questions' -> (q ->> 'id')) as t (texts)
      cross join lateral (
        select q ->> f.name, t.texts ->> f.name
        from unnest(array['label', 'min_label', 'max_label', 'low_thanks', 'middle_thanks', 'high_thanks']) as f (name)
        union all
        select c.choice, t.texts -> 'choices' ->> c.choice
        from jsonb_array_elements_text(case when q ? 'choices' then q -> 'choices' else '[]' end) as c (choice)
      ) as x (own, translated)
    ) as x
    where x.own is not null and x.translated is null and x.own !~ '^[-0-9 .,:;/+%<>=()–—€$£]*$' and not invite.is_default_text(x.own)
  )
$$;
comment on function invite.is_translated(jsonb, text, text, jsonb) is
  'Whether a survey''s page has each of its texts, but for the title, in the language of a translation.';
