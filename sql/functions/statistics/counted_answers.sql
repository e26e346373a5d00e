/*
 * A score counts by whole numbers, a choice by texts of at most 255 characters, whether or not they are on offer: all else has the value
 * '', however many different answers a product's own pages store. Inlined.
 */
create or replace function invite.counted_answers(questions jsonb, answers jsonb, invitation_id bigint)
returns table (question text, value text)
language sql immutable parallel safe
as $$
  select '', case when invitation_id is null then 'direct' else 'invitation' end
  union all
  select
    q.value ->> 'id',
    case
      when q.value ->> 'type' = 'score' and answers ->> (q.value ->> 'id') ~ '^-?\d{1,4}$' then answers ->> (q.value ->> 'id')
      when q.value ->> 'type' = 'choice' and length(answers ->> (q.value ->> 'id')) <= 255 then answers ->> (q.value ->> 'id')
      else ''
    end
  from jsonb_array_elements(questions) as q
  where answers ->> (q.value ->> 'id') is not null
$$;
comment on function invite.counted_answers(jsonb, jsonb, bigint) is
  'What a response counts for in result_counts: itself, and each answer to one of every_question.';
