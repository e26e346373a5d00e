create or replace function invite.comments_of(questions jsonb, answers jsonb) returns jsonb
language sql immutable parallel safe
as $$
  select coalesce(jsonb_agg(jsonb_build_object('label', q.value ->> 'label', 'text', left(answers ->> (q.value ->> 'id'), 1000)) order by q.ordinality), '[]')
  from jsonb_array_elements(questions) with ordinality as q
  where q.value ->> 'type' = 'text' and trim(answers ->> (q.value ->> 'id')) <> ''
$$;
comment on function invite.comments_of(jsonb, jsonb) is 'What a response says in words: [{label, text}], each text up to 1,000 characters.';
