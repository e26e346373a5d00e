/*
 * The values are quoted constants (%L) and not parameters, so that PostgreSQL computes as little as possible for each of a million rows.
 */
create function console.result_condition(filter console.result_filter) returns text
language sql stable
as $$
  select concat_ws(
    ' and ', 'true',
    'r.submitted_at >= ' || quote_literal((filter).since::text),
    'r.submitted_at < ' || quote_literal((filter).until::text),
    (
      select string_agg(
        case when jsonb_array_length(m.pair) > 1 then format('r.metadata ->> %L = %L', m.pair ->> 0, m.pair ->> 1) else format('r.metadata ? %L', m.pair ->> 0) end,
        ' and ')
      from jsonb_array_elements((filter).metadata) as m (pair)
    ),
    case
      when (filter).answers is not null then format('r.answers ->> %L = any (%L::text[])', (filter).question, (filter).answers)
      when (filter).question is not null then format('r.answers ? %L', (filter).question)
    end)
$$;
comment on function console.result_condition(console.result_filter) is 'A filter of responses as an SQL condition on the table alias r.';
