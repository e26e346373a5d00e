/*
 * A score counts if it is a whole number, and a choice if it is a text of at most 255 characters, whether or not it is one of the choices.
 * Any other answer counts as '', so that a product's own pages can't add countless different values. The planner inlines this function.
 */
create or replace function invite.counted_answers(questions jsonb, answers jsonb, invitation_id bigint)
returns table (question text, value text)
language sql immutable parallel safe
as $$
  select '', case when invitation_id is null then 'direct' else 'invitation' end
  union all
  select q.value ->> 'id', v.value
  from jsonb_array_elements(questions) as q
  cross join lateral unnest(
    case
      when q.value -> 'several' = 'true' then invite.several_values(answers -> (q.value ->> 'id'))
      when q.value ->> 'type' = 'score' and answers ->> (q.value ->> 'id') ~ '^-?\d{1,4}$' then array[answers ->> (q.value ->> 'id')]
      when q.value ->> 'type' = 'choice' and length(answers ->> (q.value ->> 'id')) <= 255 then array[answers ->> (q.value ->> 'id')]
      else array['']
    end) as v (value)
  where answers ->> (q.value ->> 'id') is not null
$$;
comment on function invite.counted_answers(jsonb, jsonb, bigint) is
  'The rows of result_counts that a response adds to: one for the response, and one for each answer to a question in every_question, or several (several_values).';
