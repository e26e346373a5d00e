create or replace function invite.without_choice_ids(questions jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select coalesce(jsonb_agg(case when jsonb_typeof(q.value) = 'object' then q.value - 'choice_ids' else q.value end order by q.ordinality), '[]')
  from jsonb_array_elements(without_choice_ids.questions) with ordinality as q
$$;
comment on function invite.without_choice_ids(jsonb) is 'The questions as a person writes them: the service adds ids to their choices.';
