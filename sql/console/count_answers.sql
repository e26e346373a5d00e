/*
 * [{question, value, number}]. A choice counts the given choices, a score whole numbers, a text nothing; all else has value null,
 * however many different answers a product's own pages have stored.
 */
create function console.count_answers(questions jsonb, response_ids bigint[]) returns jsonb
language plpgsql stable
as $$
begin
  return (
    with questions as materialized (
      select q ->> 'id' as id, q ->> 'type' as type, coalesce(q -> 'choices', '[]') as choices
      from jsonb_array_elements(count_answers.questions) as q
    ), counted as (
      select
        q.id,
        case
          when q.type = 'choice' and q.choices ? (r.answers ->> q.id) then r.answers ->> q.id
          when q.type = 'score' and r.answers ->> q.id ~ '^-?\d{1,4}$' then r.answers ->> q.id
        end as value,
        count(*) as number
      from invite.responses as r
      cross join questions as q
      where r.id = any (count_answers.response_ids) and r.answers ? q.id
      group by 1, 2
    )
    select coalesce(jsonb_agg(jsonb_build_object('question', c.id, 'value', c.value, 'number', c.number)), '[]')
    from counted as c);
end
$$;
comment on function console.count_answers(jsonb, bigint[]) is
  'How often each answer was given to the questions of a survey, in the given responses.';
