/*
 * Only numbers within the scale count. The places of the sums: -1 the period before, 0 the period, then the groups of bins (trend_groups).
 */
create function console.summarize_scores(questions jsonb, counts jsonb, bins integer, compared boolean) returns jsonb
language sql stable
as $$
  with given as (
    select q.ordinality, q.value as question, c.bin, c.number, console.score_of(q.value, c.value) as score
    from jsonb_array_elements(summarize_scores.questions) with ordinality as q
    join jsonb_to_recordset(summarize_scores.counts) as c (bin integer, question text, value text, number bigint) on c.question = q.value ->> 'id'
    where q.value ->> 'type' = 'score'
  ),
  groups as (
    select q.ordinality, g.bin, g.place
    from jsonb_array_elements(summarize_scores.questions) with ordinality as q
    cross join unnest(invite.trend_groups(array(
      select coalesce((select sum(n.number) from given as n where n.ordinality = q.ordinality and n.bin = b.bin and n.score is not null), 0)::bigint
      from generate_series(3, summarize_scores.bins + 2) as b (bin)
      order by b.bin))) with ordinality as g (place, bin)
    where q.value ->> 'type' = 'score'
  ),
  estimates as (
    select
      p.ordinality, p.place, min(p.bin) as first, max(p.bin) as last,
      coalesce(to_jsonb(case
        when q.value ->> 'nps' = 'true' then invite.estimate_nps(
          coalesce(sum(n.number) filter (where n.score >= 9), 0)::bigint, coalesce(sum(n.number) filter (where n.score between 7 and 8), 0)::bigint,
          coalesce(sum(n.number) filter (where n.score <= 6), 0)::bigint)
        else invite.estimate_mean(coalesce(sum(n.number), 0)::bigint, coalesce(sum(n.number * n.score), 0), coalesce(sum(n.number * n.score * n.score), 0))
      end), '{"value": null, "low": null, "high": null, "responses": null}') as estimate
    from (
      select g.ordinality, g.place, g.bin from groups as g
      union all
      select g.ordinality, 0, g.bin from groups as g
      union all
      select distinct g.ordinality, -1, -1 from groups as g
    ) as p
    join jsonb_array_elements(summarize_scores.questions) with ordinality as q on q.ordinality = p.ordinality
    left join given as n on n.ordinality = p.ordinality and n.bin = p.bin + 2 and n.score is not null
    group by p.ordinality, p.place, q.value
  )
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'question', n.value ->> 'id',
        'before', (select b.estimate from estimates as b where summarize_scores.compared and b.ordinality = n.ordinality and b.place = -1),
        'points', (
          select jsonb_agg(jsonb_build_object('first', b.first, 'last', b.last) || b.estimate order by b.place)
          from estimates as b where b.ordinality = n.ordinality and b.place > 0
        )
      ) || (select b.estimate from estimates as b where b.ordinality = n.ordinality and b.place = 0)
      order by n.ordinality),
    '[]')
  from jsonb_array_elements(summarize_scores.questions) with ordinality as n
  where n.value ->> 'type' = 'score'
$$;
comment on function console.summarize_scores(jsonb, jsonb, integer, boolean) is
  'NPS or average of each score, for the period, the period before and each point of the trend: {first, last} are the numbers of its bins, from 1. '
  'counts: [{bin, question, value, number}]; bin 1 is the period before, bin 3 the first bin.';
