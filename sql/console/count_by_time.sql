/*
 * Reads the counts of whole days for days that lie entirely between two edges, and the counts of quarter hours for the others.
 * last_question: '' counts only responses and invitations. Pins: lookup plan, offset 0 fence.
 */
create function console.count_by_time(survey_id text, edges timestamptz[], last_question text default chr(1114111))
returns table (bin integer, question text, value text, number bigint)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
  with days as materialized (
    select d.day, width_bucket(d.day, edges) as bin, width_bucket(d.day, edges) = width_bucket(d.day + interval '24 hours' - interval '1 microsecond', edges) as whole
    from generate_series(
      date_bin('1 day', edges[1], '2000-01-01 00:00Z'), edges[cardinality(edges)] - interval '1 microsecond', interval '24 hours') as d (day)
  )
  select n.bin, n.question, n.value, sum(n.number)::bigint
  from (
    select d.bin, c.question, c.value, c.number
    from days as d
    join invite.result_counts as c on c.survey_id = count_by_time.survey_id and c.whole_day and c.starts_at = d.day
      and c.question <= count_by_time.last_question
    where d.whole
    union all
    select width_bucket(c.starts_at, edges), c.question, c.value, c.number
    from days as d
    cross join lateral (
      select q.*
      from invite.result_counts as q
      where q.survey_id = count_by_time.survey_id and not q.whole_day and q.starts_at >= d.day and q.starts_at < d.day + interval '24 hours'
        and q.question <= count_by_time.last_question
      offset 0
    ) as c
    where not d.whole
    union all
    select width_bucket(x.starts_at, edges), x.question, x.value, x.number
    from invite.result_changes as x
    where x.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes') and x.survey_id = count_by_time.survey_id and x.question <= count_by_time.last_question
  ) as n
  where n.bin between 1 and cardinality(edges) - 1
  group by 1, 2, 3
  having sum(n.number) <> 0
$$;
comment on function console.count_by_time(text, timestamptz[], text) is
  'How often each answer of a survey was given between each two edges, which are quarter hours. The counts are exact: result_counts plus '
  'result_changes.';
