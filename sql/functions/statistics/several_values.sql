/*
 * A choice has no space at its ends, so that a space alone can stand for the answer as a whole. Shares are of that number. What a product's own page
 * records may be no list, or too long.
 */
create or replace function invite.several_values(answer jsonb) returns text[]
language sql immutable parallel safe
as $$
  select array_agg(distinct case when length(c.value) > 255 or c.value = ' ' then '' else c.value end) || ' '::text
  from jsonb_array_elements_text(
    case jsonb_typeof(several_values.answer) when 'array' then several_values.answer else jsonb_build_array(several_values.answer) end)
    with ordinality as c
  where c.ordinality <= 50
$$;
comment on function invite.several_values(jsonb) is
  'What an answer of several choices is counted by: each choice once, and a space for the answer as a whole.';
