create type console.result_summary as (
  responses bigint, responses_before bigint, first_day text, last_day text, unit text, bins jsonb, answers jsonb, scores jsonb,
  invited integer, responded integer, bounced integer, sent_days jsonb, sent_capped boolean, invited_before integer, responded_before integer
);
comment on type console.result_summary is
  'A survey''s Results in numbers, of a period and, as …_before, of the one that it is compared with (null: none). first_day, last_day: the period, in the reader''s zone. '
  'unit: day, week, month or year, of bins: [{day, invitation, direct}], a chart''s. answers: [{question, value, number, low, high}], value '''': any other answer; '
  'low, high: the interval of a choice''s share. scores: [{question, value, low, high, responses, before, bins}], an NPS or an average, and before and bins likewise. '
  'invited: the newest invitations that were sent and didn''t bounce (bounced); responded: those of them with a response; sent_days: [{day, invited, responded}]; '
  'sent_capped: there are more; all null under a filter.';

/*
 * Days are dates in zone. Without first_day and last_day: from the first response to the last.
 *
 * Of all responses: by answer_counts, or read one by one under a filter. Of invitations the newest max_invitations.
 */
create function console.result_summary(
  session_hash bytea, survey_id text, filter console.result_filter default null, zone text default 'UTC',
  first_day date default null, last_day date default null, before_first_day date default null, before_last_day date default null,
  max_invitations integer default 20000
) returns console.result_summary
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_summary console.result_summary;
  v_filtered boolean;
  v_first date;
  v_last date;
  v_starts date[];
  v_edges timestamptz[];
  v_counts jsonb;
  v_questions jsonb;
begin
  perform console.require_survey_role(result_summary.session_hash, result_summary.survey_id, 'viewer');
  v_filtered := num_nonnulls((result_summary.filter).metadata, (result_summary.filter).question) > 0;
  v_questions := console.questions_with_past_choices(result_summary.survey_id);
  select
    coalesce(result_summary.first_day, (min(r.submitted_at) at time zone result_summary.zone)::date, current_date),
    coalesce(result_summary.last_day, (max(r.submitted_at) at time zone result_summary.zone)::date, current_date)
  into v_first, v_last
  from invite.responses as r
  where r.survey_id = result_summary.survey_id;
  v_summary.first_day := v_first;
  v_summary.last_day := v_last;

  -- At most 31 bins, of which the first and last may be shorter. The first two edges are those of the period before.
  v_summary.unit := case
    when v_last - v_first < 31 then 'day'
    when v_last - v_first < 30 * 7 then 'week'
    when v_last - v_first < 30 * 30 then 'month'
    else 'year'
  end;
  v_starts := array(
    select greatest(b.day::date, v_first)
    from generate_series(
      date_trunc(v_summary.unit, v_first::timestamp), v_last::timestamp, ('1 ' || v_summary.unit)::interval) as b (day)
    order by b.day);
  v_edges := array(
    select e.day::timestamp at time zone result_summary.zone
    from unnest(
      array[coalesce(result_summary.before_first_day, v_first), coalesce(result_summary.before_last_day + 1, v_first)]
        || v_starts || (v_last + 1)) with ordinality as e (day, place)
    order by e.place);

  if v_filtered then
    v_counts := (
      select jsonb_agg(c)
      from console.count_by_filter(
        result_summary.survey_id,
        row(null, null, (result_summary.filter).metadata, (result_summary.filter).question, (result_summary.filter).answers)::console.result_filter,
        v_edges) as c);
  else
    v_counts := (select jsonb_agg(c) from console.count_by_time(result_summary.survey_id, v_edges) as c);
  end if;
  select
    coalesce(sum(c.number) filter (where c.bin > 2), 0), case when result_summary.before_first_day is not null then coalesce(sum(c.number) filter (where c.bin = 1), 0) end
  into v_summary.responses, v_summary.responses_before
  from jsonb_to_recordset(v_counts) as c (bin integer, question text, value text, number bigint)
  where c.question = '';
  v_summary.bins := (
    select coalesce(jsonb_agg(jsonb_build_object('day', b.day, 'invitation', b.invitation, 'direct', b.direct) order by b.day), '[]')
    from (
      select
        s.day, coalesce(sum(c.number) filter (where c.value = 'invitation'), 0) as invitation,
        coalesce(sum(c.number) filter (where c.value = 'direct'), 0) as direct
      from unnest(v_starts) with ordinality as s (day, place)
      left join jsonb_to_recordset(v_counts) as c (bin integer, question text, value text, number bigint) on c.bin = s.place + 2 and c.question = ''
      group by s.day
    ) as b);
  v_summary.answers := console.summarize_answers(v_questions, v_counts);
  v_summary.scores := console.summarize_scores(v_questions, v_counts, cardinality(v_starts), result_summary.before_first_day is not null);

  if not v_filtered then
    select c.invited, c.responded, c.bounced, c.days, c.scanned >= result_summary.max_invitations
    into v_summary.invited, v_summary.responded, v_summary.bounced, v_summary.sent_days, v_summary.sent_capped
    from console.count_sent(
      result_summary.survey_id, result_summary.max_invitations, case when result_summary.first_day is null then '-infinity' else v_edges[3] end,
      case when result_summary.last_day is null then 'infinity' else v_edges[cardinality(v_edges)] end, result_summary.zone) as c;
    if result_summary.before_first_day is not null then
      select c.invited, c.responded into v_summary.invited_before, v_summary.responded_before
      from console.count_sent(
        result_summary.survey_id, result_summary.max_invitations, v_edges[1], v_edges[2], result_summary.zone) as c;
    end if;
  end if;
  return v_summary;
end
$$;
comment on function console.result_summary(bytea, text, console.result_filter, text, date, date, date, date, integer) is
  'A survey''s Results in numbers, of all responses of a period: by day, by answer, averages and NPS, response rate.';
