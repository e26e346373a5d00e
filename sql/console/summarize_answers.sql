create function console.summarize_answers(questions jsonb, counts jsonb) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('question', a.question, 'value', a.value, 'number', a.number, 'low', (a.share).low, 'high', (a.share).high)), '[]')
  from (
    select
      c.question, c.value, c.number,
      case when c.type = 'choice' and c.value not in ('', ' ') then invite.estimate_share(
        c.number,
        coalesce(max(c.number) filter (where c.value = ' ') over (partition by c.question), sum(c.number) over (partition by c.question))::bigint)
      end as share
    from (
      select
        q.value ->> 'id' as question, q.value ->> 'type' as type,
        case when q.value ->> 'type' <> 'choice' or c.value = ' ' or q.value -> 'choices' ? c.value then c.value else '' end as value,
        sum(c.number)::bigint as number
      from jsonb_to_recordset(summarize_answers.counts) as c (bin integer, question text, value text, number bigint)
      join jsonb_array_elements(summarize_answers.questions) as q on q.value ->> 'id' = c.question
      where c.bin > 2
      group by 1, 2, 3
    ) as c
  ) as a
$$;
comment on function console.summarize_answers(jsonb, jsonb) is
  'How often each answer was given, with the interval of a choice''s share. counts: [{bin, question, value, number}]; bins 1 and 2 are left out '
  '(see period_bins). Of several choices the value '' '' is the number of answers as a whole.';
