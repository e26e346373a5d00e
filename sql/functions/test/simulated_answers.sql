create or replace function invite.simulated_answers(questions jsonb, score smallint) returns jsonb
language sql immutable
as $$
  select coalesce(jsonb_object_agg(q.value ->> 'id', case q.value ->> 'type'
    when 'score' then to_jsonb(least(greatest(score, coalesce((q.value ->> 'min')::numeric, 0)), coalesce((q.value ->> 'max')::numeric, 10)))
    when 'choice' then case when q.value -> 'several' = 'true' then jsonb_build_array(q.value #> '{choices,0}') else q.value #> '{choices,0}' end
    else '"A simulated answer."'
  end), '{}')
  from jsonb_array_elements(questions) as q
$$;
comment on function invite.simulated_answers(jsonb, smallint) is
  'What a simulated person answers: the score, or the nearest that a question takes; the first choice; a sentence.';
