/*
 * One scan, or for months without conditions the counts. What an answer means is decided once for each different one, by the caller. Pins as
 * count_by_filter, without the fence: a worker couldn't group its half.
 */
create function console.count_parts(
  survey_id text, filter console.result_filter, dimension text, key text, question text, edges timestamptz[], zone text, among text[] default null
) returns table (part text, is_other boolean, given text, number bigint)
language plpgsql stable
set enable_seqscan = off set enable_indexscan = on set work_mem = '32MB' set jit = off
as $$
begin
  if count_parts.dimension = 'month' then
    return query
      with counts as (
        select m.month, c.question, c.value, c.number
        from console.count_answers(count_parts.survey_id, count_parts.filter, count_parts.edges) as c
        cross join lateral (select to_char(count_parts.edges[c.bin] at time zone count_parts.zone, 'YYYY-MM') as month) as m
        where c.bin > 2
      )
      select c.month, false, c.value, c.number from counts as c where c.question = count_parts.question
      union all
      select c.month, false, null, sum(case c.question when '' then c.number else -c.number end)::bigint
      from counts as c
      where c.question = '' and c.value in ('invitation', 'direct') or c.question = count_parts.question
      group by 1;
    return;
  end if;
  if console.metadata_condition(count_parts.survey_id, count_parts.filter) is not null then
    perform set_config('enable_indexscan', 'off', true);
  end if;
  return query execute format(
    $q$
      select %s, %s as given, count(*)
      from invite.responses as r
      where %s and r.submitted_at >= $1[3] and r.submitted_at < $1[cardinality($1)]
      group by 1, 2, 3
    $q$,
    console.part_columns(count_parts.dimension, count_parts.key, count_parts.among),
    case when count_parts.question is null then 'null::text' else format('left(r.answers ->> %L, 5)', count_parts.question) end,
    console.result_rows(count_parts.survey_id, count_parts.filter))
  using count_parts.edges;
end
$$;
comment on function console.count_parts(text, console.result_filter, text, text, text, timestamptz[], text, text[]) is
  'How many responses between the third and the last edge share a part (dimension_value, or month, in zone) and an answer to a question. given: the first '
  'characters of the answer, enough for a score; null: none. among: the parts that are told apart; what has another is_other. Null: all.';
