/*
 * Counts as counted_answers does, but one scan groups by every question. Whether a value is counted by itself or as '' is decided once for
 * each different value, not for each response.
 *
 * Pins: as match_responses with metadata; without, by the index of submitted_at. Offset 0 fence: otherwise the planner would expect as many
 * groups as responses, and sort them for each question.
 */
create function console.count_by_filter(survey_id text, filter console.result_filter, edges timestamptz[], others boolean default false)
returns table (bin integer, question text, value text, number bigint)
language plpgsql stable
set enable_seqscan = off set enable_indexscan = on set work_mem = '32MB' set jit = off
as $$
declare
  v_questions constant jsonb := invite.every_question(count_by_filter.survey_id);
begin
  if not count_by_filter.others and console.metadata_condition(count_by_filter.survey_id, count_by_filter.filter) is not null then
    perform set_config('enable_indexscan', 'off', true);
  end if;
  return query execute (
    select format(
      $q$
        select n.bin, coalesce(q.value ->> 'id', ''), v.value, sum(n.number)::bigint
        from (
          select g.bin, case %1$s end as place, coalesce(%2$s) as given, count(*) as number
          from (
            select width_bucket(r.submitted_at, $1) as bin, %3$s
            from invite.responses as r
            where %4$s and r.submitted_at >= $1[1] and r.submitted_at < $1[cardinality($1)]
            offset 0
          ) as g
          group by grouping sets (%5$s)
        ) as n
        left join jsonb_array_elements($2) with ordinality as q on q.ordinality = n.place
        cross join lateral unnest(
          case
            when n.place = 0 then array[n.given]
            when q.value -> 'several' = 'true' then invite.several_values(n.given::jsonb)
            when q.value ->> 'type' = 'score' and n.given ~ '^-?\d{1,4}$' or q.value ->> 'type' = 'choice' and length(n.given) <= 255 then array[n.given]
            else array['']
          end) as v (value)
        where n.given is not null
        group by 1, 2, 3
      $q$,
      string_agg(format('when grouping(g.a%1$s) = 0 then %1$s', c.place), ' ' order by c.place),
      string_agg('g.a' || c.place, ', ' order by c.place),
      string_agg(format('%s as a%s', c.expression, c.place), ', ' order by c.place),
      case
        when count_by_filter.others
          then format('r.survey_id = %L and not coalesce(%s, false)', count_by_filter.survey_id, console.result_condition(count_by_filter.survey_id, count_by_filter.filter))
        else console.result_rows(count_by_filter.survey_id, count_by_filter.filter)
      end,
      string_agg(format('(g.bin, g.a%s)', c.place), ', ' order by c.place))
    from (
      select 0 as place, $e$case when r.invitation_id is null then 'direct' else 'invitation' end$e$ as expression
      union all
      select q.ordinality, format(
        case
          when q.value ->> 'type' = 'text' then 'left(r.answers ->> %1$L, 0)'
          when q.value -> 'several' = 'true' then 'case when r.answers ->> %1$L is not null then (r.answers -> %1$L)::text end'
          else 'r.answers ->> %1$L'
        end,
        q.value ->> 'id')
      from jsonb_array_elements(v_questions) with ordinality as q
    ) as c)
  using count_by_filter.edges, v_questions;
end
$$;
comment on function console.count_by_filter(text, console.result_filter, timestamptz[], boolean) is
  'How often each answer was given between each two edges, in the responses that a filter selects, or in all others.';
