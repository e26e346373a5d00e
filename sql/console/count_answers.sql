create type console.result_filter as (since timestamptz, until timestamptz, conditions jsonb, question text, answers text[]);
comment on type console.result_filter is
  'Selects responses of a survey: submitted at or after since and before until; that meet all conditions, a list of {dimension, key, values, excludes}; '
  'with an answer to a question, and if answers is given, one of those. A null field selects all. dimension: metadata (with its key), answer (with a question''s id), language or token. '
  'values: one of these; without it any value. excludes: true selects all other responses instead.';

-- Reading a response takes one or two microseconds. So if a filter selects most responses, the others are read and subtracted from the counts.
create function console.count_answers(survey_id text, filter console.result_filter, edges timestamptz[])
returns table (bin integer, question text, value text, number bigint)
language plpgsql stable
as $$
declare
  v_filter constant console.result_filter := row(
    null, null, (count_answers.filter).conditions, (count_answers.filter).question, (count_answers.filter).answers)::console.result_filter;
begin
  if num_nonnulls((v_filter).conditions, (v_filter).question) = 0 then
    return query select c.* from console.count_by_time(count_answers.survey_id, count_answers.edges) as c;
  elsif console.selects_most(
    count_answers.survey_id, v_filter, count_answers.edges[1], count_answers.edges[cardinality(count_answers.edges)]
  ) then
    return query
      select c.bin, c.question, c.value, sum(c.number)::bigint
      from (
        select a.*
        from console.count_by_time(count_answers.survey_id, count_answers.edges) as a
        where a.question <> '' or a.value in ('invitation', 'direct')
        union all
        select o.bin, o.question, o.value, -o.number
        from console.count_by_filter(count_answers.survey_id, v_filter, count_answers.edges, others => true) as o
      ) as c
      group by 1, 2, 3
      having sum(c.number) <> 0;
  else
    return query select c.* from console.count_by_filter(count_answers.survey_id, v_filter, count_answers.edges) as c;
  end if;
end
$$;
comment on function console.count_answers(text, console.result_filter, timestamptz[]) is
  'How often each answer was given between each two edges, which are quarter hours: read from result_counts, or under a filter counted one by one.';
