/*
 * Only numbers within the scale count. One set of sums has the period (place 0), the period before (-1) and each bin.
 */
create function console.summarize_scores(questions jsonb, counts jsonb, bins integer, compared boolean) returns jsonb
language sql stable
as $$
  with estimates as (
    select
      s.ordinality, s.question, s.place,
      coalesce(to_jsonb(case
        when s.nps then invite.estimate_nps(s.promoters, s.passives, s.detractors)
        else invite.estimate_mean(s.number, s.total, s.squares)
      end), '{"value": null, "low": null, "high": null, "responses": null}') as estimate
    from (
      select
        q.ordinality, q.value ->> 'id' as question, coalesce((q.value ->> 'nps')::boolean, false) as nps, p.place,
        coalesce(sum(c.number) filter (where c.value::integer >= 9), 0)::bigint as promoters,
        coalesce(sum(c.number) filter (where c.value::integer between 7 and 8), 0)::bigint as passives,
        coalesce(sum(c.number) filter (where c.value::integer <= 6), 0)::bigint as detractors,
        coalesce(sum(c.number), 0)::bigint as number, coalesce(sum(c.number * c.value::integer), 0) as total,
        coalesce(sum(c.number * c.value::integer * c.value::integer), 0) as squares
      from jsonb_array_elements(summarize_scores.questions) with ordinality as q
      cross join generate_series(-1, summarize_scores.bins) as p (place)
      left join (
        select x.* from jsonb_to_recordset(summarize_scores.counts) as x (bin integer, question text, value text, number bigint) where x.value ~ '^-?\d+$'
      ) as c
        on c.question = q.value ->> 'id'
        and case p.place when -1 then c.bin = 1 when 0 then c.bin > 2 else c.bin = p.place + 2 end
        and c.value::integer between coalesce((q.value ->> 'min')::integer, 0) and coalesce((q.value ->> 'max')::integer, 10)
      where q.value ->> 'type' = 'score'
      group by 1, 2, 3, 4
    ) as s
  )
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'question', n.question,
        'before', (select b.estimate from estimates as b where summarize_scores.compared and b.question = n.question and b.place = -1),
        'bins', (select jsonb_agg(b.estimate order by b.place) from estimates as b where b.question = n.question and b.place > 0)
      ) || n.estimate
      order by n.ordinality),
    '[]')
  from estimates as n
  where n.place = 0
$$;
comment on function console.summarize_scores(jsonb, jsonb, integer, boolean) is
  'NPS or average of each score, for the period, the period before and each bin. counts: [{bin, question, value, number}]; bin 1 is the period '
  'before, bin 3 the first bin.';
