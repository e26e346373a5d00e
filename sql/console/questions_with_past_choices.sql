create function console.questions_with_past_choices(survey_id text) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(
    case
      when q.value ->> 'type' = 'choice' then q.value || jsonb_build_object('choices', (q.value -> 'choices') || coalesce((
        select jsonb_agg(distinct c.value)
        from invite.past_questions as p
        cross join lateral jsonb_array_elements(p.questions) as o
        cross join lateral jsonb_array_elements(o.value -> 'choices') as c
        where p.survey_id = s.id and o.value -> 'id' = q.value -> 'id' and not q.value -> 'choices' @> c.value
      ), '[]'))
      else q.value
    end
    order by q.ordinality), '[]')
  from invite.surveys as s
  cross join lateral jsonb_array_elements(s.questions) with ordinality as q
  where s.id = questions_with_past_choices.survey_id
$$;
comment on function console.questions_with_past_choices(text) is
  'The present questions of a survey; a choice with all choices that it ever offered, so that earlier answers are not counted as others.';
