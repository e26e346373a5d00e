create type console.result_summary as (
  responses bigint, responses_before bigint, first_day text, last_day text, unit text, bins jsonb, answers jsonb, scores jsonb
);
comment on type console.result_summary is
  'A survey''s Results in numbers: of a period and, in the fields …_before, of the period that it is compared with (null: there is none). '
  'first_day, last_day: the period, in the reader''s time zone. unit: the length of a bin: day, week, month or year. bins: the bars of the '
  'chart: [{day, invitation, direct}]. answers: [{question, value, number, low, high}]; value '''': any other answer, '' '': an answer of several choices as a whole; low, high: the interval '
  'of a choice''s share. scores: [{question, value, low, high, responses, before, points}]: an NPS or an average, with that of the period before '
  'and of each point of the trend: first and last are the numbers of its bins, from 1. answers and scores cover every_question.';

/*
 * Days are dates in zone; without days, the period is all there is (period_bins). The numbers are read from result_counts, or counted one
 * by one under a filter.
 */
create function console.result_summary(
  session_hash bytea, survey_id text, filter console.result_filter default null, zone text default 'UTC',
  first_day date default null, last_day date default null, before_first_day date default null, before_last_day date default null
) returns console.result_summary
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set max_parallel_workers_per_gather = 0
as $$
declare
  v_summary console.result_summary;
  v_bins console.period_bins;
  v_compared constant boolean := result_summary.before_first_day is not null;
  v_counts jsonb;
  v_questions jsonb;
begin
  perform console.require_survey_role(result_summary.session_hash, result_summary.survey_id, 'viewer');
  v_questions := console.every_question_and_choice(result_summary.survey_id);
  v_bins := console.period_bins(
    result_summary.survey_id, result_summary.zone, result_summary.first_day, result_summary.last_day,
    result_summary.before_first_day, result_summary.before_last_day);
  v_summary.first_day := v_bins.first_day;
  v_summary.last_day := v_bins.last_day;
  v_summary.unit := v_bins.unit;

  v_counts := (
    select jsonb_agg(c) from console.count_answers(result_summary.survey_id, result_summary.filter, v_bins.edges) as c);
  select
    coalesce(sum(c.number) filter (where c.bin > 2), 0), case when v_compared then coalesce(sum(c.number) filter (where c.bin = 1), 0) end
  into v_summary.responses, v_summary.responses_before
  from jsonb_to_recordset(v_counts) as c (bin integer, question text, value text, number bigint)
  where c.question = '' and c.value in ('invitation', 'direct');
  v_summary.bins := (
    select coalesce(jsonb_agg(jsonb_build_object('day', b.day, 'invitation', b.invitation, 'direct', b.direct) order by b.day), '[]')
    from (
      select
        s.day, coalesce(sum(c.number) filter (where c.value = 'invitation'), 0) as invitation,
        coalesce(sum(c.number) filter (where c.value = 'direct'), 0) as direct
      from unnest(v_bins.starts) with ordinality as s (day, place)
      left join jsonb_to_recordset(v_counts) as c (bin integer, question text, value text, number bigint) on c.bin = s.place + 2 and c.question = ''
      group by s.day
    ) as b);
  v_summary.answers := console.summarize_answers(v_questions, v_counts);
  v_summary.scores := console.summarize_scores(v_questions, v_counts, cardinality(v_bins.starts), v_compared);
  return v_summary;
end
$$;
comment on function console.result_summary(bytea, text, console.result_filter, text, date, date, date, date) is
  'A survey''s Results in numbers for the responses of a period: responses by day, answers, averages and NPS.';
