/*
 * Answers and translations are by a choice's exact words. A choice was renamed if another one, that wasn't there before, is at its place, it is gone, and
 * the question has as many choices as before.
 */
create or replace function invite.renamed_choices(old_questions jsonb, new_questions jsonb)
returns table (question text, before text, after text)
language sql immutable parallel safe
set jit = off
as $$
  select o.value ->> 'id', b.choice, a.choice
  from jsonb_array_elements(renamed_choices.old_questions) as o
  join jsonb_array_elements(renamed_choices.new_questions) as n on n.value -> 'id' = o.value -> 'id'
  cross join lateral jsonb_array_elements_text(case when o.value ? 'choices' then o.value -> 'choices' else '[]' end) with ordinality as b (choice, place)
  join lateral jsonb_array_elements_text(case when n.value ? 'choices' then n.value -> 'choices' else '[]' end) with ordinality as a (choice, place)
    on a.place = b.place
  where a.choice <> b.choice
    and jsonb_array_length(o.value -> 'choices') = jsonb_array_length(n.value -> 'choices')
    and not n.value -> 'choices' ? b.choice
    and not o.value -> 'choices' ? a.choice
$$;
comment on function invite.renamed_choices(jsonb, jsonb) is 'The choices of a survey''s questions that have other words now.';
