create type console.result_filter as (since timestamptz, until timestamptz, conditions jsonb, question text, answers text[]);
comment on type console.result_filter is
  'Selects responses of a survey: submitted at or after since and before until; that meet all conditions, a list of {dimension, key, values, excludes}; '
  'with an answer to a question, and if answers is given, one of those. A null field selects all. dimension: metadata (with its key), answer (with a question''s id), language or token. '
  'values: one of these; without it any value. excludes: true selects all other responses instead.';

create function console.count_answers(survey_id text, filter console.result_filter, edges timestamptz[])
returns table (bin integer, question text, value text, number bigint)
language plpgsql stable
as $$
begin
  if num_nonnulls((count_answers.filter).conditions, (count_answers.filter).question) > 0 then
    return query
      select c.*
      from console.count_by_filter(
        count_answers.survey_id,
        row(null, null, (count_answers.filter).conditions, (count_answers.filter).question, (count_answers.filter).answers)::console.result_filter,
        count_answers.edges) as c;
  else
    return query select c.* from console.count_by_time(count_answers.survey_id, count_answers.edges) as c;
  end if;
end
$$;
comment on function console.count_answers(text, console.result_filter, timestamptz[]) is
  'How often each answer was given between each two edges, which are quarter hours: read from result_counts, or counted one by one under a filter.';
