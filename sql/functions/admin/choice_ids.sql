create or replace function invite.choice_ids(question jsonb) returns text[]
language sql immutable parallel safe
as $$
  select array_agg(c.value #>> '{}' order by c.ordinality)
  from jsonb_array_elements(case when jsonb_typeof(question -> 'choice_ids') = 'array' then question -> 'choice_ids' else '[]' end) with ordinality as c
  having bool_and(jsonb_typeof(c.value) = 'string' and c.value #>> '{}' ~ '^[A-Za-z0-9._-]{1,32}$')
    and count(*) = count(distinct c.value)
    and count(*) = jsonb_array_length(case when jsonb_typeof(question -> 'choices') = 'array' then question -> 'choices' else '[]' end)
$$;
comment on function invite.choice_ids(jsonb) is 'The ids of a question''s choices; null if it has none, or not one for each choice.';
