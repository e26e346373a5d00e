/*
 * A follow-up is a text that is asked after certain answers to one earlier question: {question, min, max} of a score, {question, choices} of a choice.
 * place: of the question, from 1. The page has style rules for 20.
 */
create or replace function invite.is_follow_up(ask_if jsonb, questions jsonb, place bigint) returns boolean
language sql immutable parallel safe
as $$
  select jsonb_typeof(is_follow_up.ask_if) = 'object' and coalesce((
    select case
      when q.value ->> 'type' = 'score' then
        is_follow_up.ask_if - '{question,min,max}'::text[] = '{}'
        and jsonb_typeof(is_follow_up.ask_if -> 'min') = 'number' and jsonb_typeof(is_follow_up.ask_if -> 'max') = 'number'
        and (is_follow_up.ask_if -> 'min') >= coalesce(q.value -> 'min', '0') and (is_follow_up.ask_if -> 'max') <= coalesce(q.value -> 'max', '10')
        and (is_follow_up.ask_if -> 'min') <= (is_follow_up.ask_if -> 'max')
      when q.value ->> 'type' = 'choice' then
        is_follow_up.ask_if - '{question,choices}'::text[] = '{}' and jsonb_typeof(is_follow_up.ask_if -> 'choices') = 'array'
        and is_follow_up.ask_if -> 'choices' <> '[]' and is_follow_up.ask_if -> 'choices' <@ (q.value -> 'choices')
    end
    from jsonb_array_elements(is_follow_up.questions) with ordinality as q
    where q.value -> 'id' = is_follow_up.ask_if -> 'question' and q.ordinality < is_follow_up.place
  ), false) and (
    select count(*) <= 20 from jsonb_array_elements(is_follow_up.questions) with ordinality as q
    where q.value ? 'ask_if' and q.ordinality <= is_follow_up.place)
$$;
comment on function invite.is_follow_up(jsonb, jsonb, bigint) is
  'Whether a question of a survey can be asked after these answers to an earlier one.';
