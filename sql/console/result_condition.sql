/*
 * The values are quoted constants (%L) and not parameters, so that PostgreSQL computes as little as possible for each of a million rows.
 * A response without the part matches what excludes values. The answer to a question with several choices is a list, but may be recorded as a text.
 */
create function console.result_condition(survey_id text, filter console.result_filter) returns text
language sql stable
as $$
  select concat_ws(
    ' and ', 'true',
    'r.submitted_at >= ' || quote_literal((filter).since::text),
    'r.submitted_at < ' || quote_literal((filter).until::text),
    (
      select string_agg(
        case
          when p.wanted is null and p.excludes and p.dimension = 'metadata' then format('not coalesce(r.metadata ? %L, false)', p.key)
          when p.wanted is null and p.dimension = 'metadata' then format('r.metadata ? %L', p.key)
          when p.wanted is null then format('%s is %s null', p.part, case when not p.excludes then 'not' end)
          when p.excludes then format('coalesce(%s <> all (%L::text[]), true)', p.part, p.wanted)
          when cardinality(p.wanted) = 1 then format('%s = %L', p.part, p.wanted[1])
          else format('%s = any (%L::text[])', p.part, p.wanted)
        end,
        ' and ')
      from (
        select
          c ->> 'dimension' as dimension, c ->> 'key' as key, coalesce((c ->> 'excludes')::boolean, false) as excludes, console.dimension_value(c ->> 'dimension', c ->> 'key') as part,
          case when c ? 'values' then array(select jsonb_array_elements_text(c -> 'values')) end as wanted
        from jsonb_array_elements((filter).conditions) as c
      ) as p
    ),
    case
      when (filter).answers is not null then format(
        case
          when invite.every_question(result_condition.survey_id) @> jsonb_build_array(jsonb_build_object('id', (filter).question, 'several', true))
            then '(r.answers ->> %1$L = any (%2$L::text[]) or r.answers -> %1$L ?| %2$L::text[])'
          else 'r.answers ->> %1$L = any (%2$L::text[])'
        end,
        (filter).question, (filter).answers)
      when (filter).question is not null then format('r.answers ? %L', (filter).question)
    end)
$$;
comment on function console.result_condition(text, console.result_filter) is 'A filter of a survey''s responses as an SQL condition on the table alias r.';
