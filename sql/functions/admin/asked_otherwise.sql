/*
 * Answers are counted by the question's id. A question with another type or scale is another question, and needs another id;
 * so is one that takes several answers now. Its wording,
 * its choices, and whether it is required may change.
 */
create or replace function invite.asked_otherwise(survey_id text, questions jsonb) returns jsonb
language sql stable
as $$
  select jsonb_build_object('code', 'asked_otherwise', 'question', q.ordinality, 'id', q.value ->> 'id')
  from jsonb_array_elements(asked_otherwise.questions) with ordinality as q
  where exists (
    select
    from invite.past_questions as p
    cross join lateral jsonb_array_elements(p.questions) as o
    where p.survey_id = asked_otherwise.survey_id
      and o.value -> 'id' = q.value -> 'id'
      and (
        o.value -> 'type' <> q.value -> 'type'
        or o.value ->> 'type' = 'score'
        and (coalesce(o.value -> 'min', '0'), coalesce(o.value -> 'max', '10'))
          <> (coalesce(q.value -> 'min', '0'), coalesce(q.value -> 'max', '10'))
        or coalesce(o.value -> 'several', 'false') <> coalesce(q.value -> 'several', 'false')
      )
  )
  order by q.ordinality
  limit 1
$$;
comment on function invite.asked_otherwise(text, jsonb) is
  'The first question that the survey has asked before with another type or scale, in the form of validate_questions; null if there is none.';
