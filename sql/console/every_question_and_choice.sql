create function console.every_question_and_choice(survey_id text) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(
    case
      when q.value ->> 'type' = 'choice' then q.value || jsonb_build_object('choices', (q.value -> 'choices') || coalesce((
        select jsonb_agg(distinct c.value)
        from invite.past_questions as p
        cross join lateral jsonb_array_elements(p.questions) as o
        cross join lateral jsonb_array_elements(o.value -> 'choices') as c
        where p.survey_id = every_question_and_choice.survey_id and o.value -> 'id' = q.value -> 'id' and not q.value -> 'choices' @> c.value
      ), '[]'))
      else q.value
    end
    order by q.ordinality), '[]')
  from jsonb_array_elements(invite.every_question(every_question_and_choice.survey_id)) with ordinality as q
$$;
comment on function console.every_question_and_choice(text) is
  'Every question that a survey has asked. A choice question has all choices that it ever offered, so that answers with an earlier choice '
  'aren''t counted as "other".';
