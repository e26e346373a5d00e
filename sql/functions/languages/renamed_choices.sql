/*
 * Answers and translations are by a choice's exact words. A choice was renamed if its id has other words now.
 */
create or replace function invite.renamed_choices(old_questions jsonb, new_questions jsonb)
returns table (question text, before text, after text)
language sql immutable parallel safe
set jit = off
as $$
  select o.value ->> 'id', o.value -> 'choices' ->> b.place::integer - 1, n.value -> 'choices' ->> a.place::integer - 1
  from jsonb_array_elements(renamed_choices.old_questions) as o
  join jsonb_array_elements(renamed_choices.new_questions) as n on n.value -> 'id' = o.value -> 'id'
  cross join lateral unnest(invite.choice_ids(o.value)) with ordinality as b (id, place)
  join lateral unnest(invite.choice_ids(n.value)) with ordinality as a (id, place) on a.id = b.id
  where o.value -> 'choices' -> b.place::integer - 1 <> n.value -> 'choices' -> a.place::integer - 1
$$;
comment on function invite.renamed_choices(jsonb, jsonb) is 'The choices of a survey''s questions that have other words now.';
