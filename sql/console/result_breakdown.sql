create type console.breakdown_line as (
  part text, kind text, responses bigint, score invite.estimate, invited bigint, rate invite.estimate, rated_since timestamptz
);
comment on type console.breakdown_line is
  'The numbers of the responses that share a part: a value of the metadata, an answer, a language, a trigger token or a month. kind: value; others, all smaller '
  'values together; none, the responses without the part. score: NPS or average of a question. invited: as in response_rate. rate: the share of those '
  'with a response, 0 to 1. Both are null by answers or under a filter by them, because invitations have none. rated_since: they cover invitations that were '
  'accepted since; null: all.';

/*
 * The arguments are those of result_summary. dimension: metadata (with a key), answer (with the id of a question with one choice), language, token or
 * month. question: the score that is summarized; null: an NPS before an average, and the one asked first. The max_lines largest values have a line each; of a key in which nearly all differ
 * (frequent_values), those that several have. max_rated: how many invitations the rates cover at most, the newest, because reading them takes longer than
 * reading the responses. Months cover all, except under a filter. A parallel worker reads half of the
 * rows. The rows lie side by side, so prefetching their pages (the default of PostgreSQL 18) only costs time.
 */
create function console.result_breakdown(
  session_hash bytea, survey_id text, dimension text, key text default null, question text default null, filter console.result_filter default null,
  zone text default 'UTC', first_day date default null, last_day date default null, max_rated integer default 100000, max_lines integer default 50,
  at timestamptz default null
) returns setof console.breakdown_line
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set max_parallel_workers_per_gather = 1 set effective_io_concurrency = 0
set work_mem = '32MB'
as $$
declare
  v_until constant timestamptz := console.rated_until(invite.now_of(
    (console.require_survey_role(result_breakdown.session_hash, result_breakdown.survey_id, 'viewer')).workspace_id, invite.owner_time(result_breakdown.at)));
  v_question constant jsonb := (
    select q.value from jsonb_array_elements(invite.every_question(result_breakdown.survey_id)) with ordinality as q
    where q.value ->> 'type' = 'score'
    order by q.value ->> 'id' = result_breakdown.question desc nulls last, q.value ->> 'nps' = 'true' desc nulls last, q.ordinality
    limit 1);
  v_filter console.result_filter := result_breakdown.filter;
  v_bins console.period_bins;
  v_among text[];
  v_rated constant boolean := result_breakdown.dimension <> 'answer' and not console.filters_answers(result_breakdown.filter);
  v_rated_since timestamptz;
begin
  -- Texts are too many to be lines, and several choices are no single part.
  if result_breakdown.dimension = 'answer' and not exists (
    select from jsonb_array_elements(invite.every_question(result_breakdown.survey_id)) as q
    where q ->> 'id' = result_breakdown.key and q ->> 'type' = 'choice' and not coalesce((q ->> 'several')::boolean, false)
  ) then
    return;
  end if;
  v_filter.since := null;
  v_filter.until := null;
  v_bins := console.period_bins(
    result_breakdown.survey_id, result_breakdown.zone, result_breakdown.first_day, result_breakdown.last_day, null, null);
  if result_breakdown.dimension = 'month' then
    v_bins.edges := v_bins.edges[1:2] || array(
      select greatest(m.day::date, v_bins.first_day)::timestamp at time zone result_breakdown.zone
      from generate_series(date_trunc('month', v_bins.first_day::timestamp), v_bins.last_day::timestamp, interval '1 month') as m (day)
      order by m.day) || v_bins.edges[cardinality(v_bins.edges)];
  end if;
  if result_breakdown.dimension = 'metadata' and num_nonnulls((result_breakdown.filter).question, (result_breakdown.filter).conditions) = 0 then
    v_among := console.frequent_values(result_breakdown.survey_id, result_breakdown.key);
  end if;
  if v_rated and (result_breakdown.dimension <> 'month' or (v_filter).conditions is not null) then
    v_rated_since := console.newest_since(
      result_breakdown.survey_id, least(v_until, v_bins.edges[cardinality(v_bins.edges)]), result_breakdown.max_rated);
  end if;
  -- What an answer means is decided only for each different one of a line: a key may have a million values.
  return query
    with answered as materialized (
      select *
      from console.count_parts(
        result_breakdown.survey_id, v_filter, result_breakdown.dimension, result_breakdown.key, v_question ->> 'id', v_bins.edges, result_breakdown.zone,
        v_among)
    ),
    sent as materialized (
      select *
      from console.count_sent_parts(
        result_breakdown.survey_id, v_filter, result_breakdown.dimension, result_breakdown.key, v_bins.edges, v_until, result_breakdown.zone,
        v_among, v_rated_since)
      where v_rated
    ),
    largest as materialized (
      select p.part
      from (select a.part, a.number as responses, 0::bigint as invited from answered as a union all select s.part, 0, s.invited from sent as s) as p
      where p.part is not null
      group by p.part
      having sum(p.responses) > 0 or sum(p.invited) > 0
      order by sum(p.responses) desc, sum(p.invited) desc, p.part
      limit result_breakdown.max_lines
    ),
    numbers as (
      select l.part, case when a.is_other then 'others' when a.part is null then 'none' when l.part is null then 'others' else 'value' end as kind, a.given, sum(a.number) as number
      from answered as a
      left join largest as l on l.part = a.part
      group by 1, 2, 3
    ),
    scores as (
      select n.part, n.kind, n.number as responses, case when n.score is not null then n.number end as scored, n.score, 0 as invited, 0 as responded
      from (select x.part, x.kind, x.number, console.score_of(v_question, x.given) as score from numbers as x) as n
      union all
      select l.part, case when s.is_other then 'others' when s.part is null then 'none' when l.part is null then 'others' else 'value' end, 0, null, null, sum(s.invited), sum(s.responded)
      from sent as s
      left join largest as l on l.part = s.part
      group by 1, 2
    )
    select
      k.part, k.kind, sum(k.responses)::bigint,
      case
        when (v_question ->> 'nps')::boolean then invite.estimate_nps(
          coalesce(sum(k.scored) filter (where k.score >= 9), 0)::bigint, coalesce(sum(k.scored) filter (where k.score in (7, 8)), 0)::bigint,
          coalesce(sum(k.scored) filter (where k.score <= 6), 0)::bigint)
        else invite.estimate_mean(sum(k.scored)::bigint, sum(k.scored * k.score), sum(k.scored * k.score * k.score))
      end,
      case when v_rated then sum(k.invited)::bigint end,
      case when v_rated then invite.estimate_share(sum(k.responded)::bigint, sum(k.invited)::bigint) end,
      v_rated_since
    from scores as k
    group by 1, 2
    having sum(k.responses) > 0 or sum(k.invited) > 0;
end
$$;
comment on function console.result_breakdown(bytea, text, text, text, text, console.result_filter, text, date, date, integer, integer, timestamptz) is
  'A survey''s Results by a metadata key, choice, language, trigger token or month.';
