create or replace function invite.score_of(answers jsonb, question text) returns integer
language sql immutable parallel safe
as $$
  select case when answers ->> question ~ '^-?\d{1,4}$' then (answers ->> question)::integer end
$$;
comment on function invite.score_of(jsonb, text) is 'The score that was given to a question. Null: none, or no whole number, as counted_answers has it.';
