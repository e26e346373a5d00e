create type console.period_bins as (first_day date, last_day date, unit text, starts date[], edges timestamptz[]);
comment on type console.period_bins is
  'How Results divide a period. unit: the length of a bin: day, week, month or year. starts: the first day of each bin. edges: first the two of '
  'the period before, then those of the bins, so that width_bucket numbers the period before 1, and the first bin 3.';

/*
 * There are at most 31 bins; the first and last may be shorter. Without days, the period is from the first to the last invitation or
 * response. A deleted response or invitation can still extend the period until fold_result_counts subtracts it.
 */
create function console.period_bins(
  survey_id text, zone text, first_day date, last_day date, before_first_day date, before_last_day date
) returns console.period_bins
language plpgsql stable
as $$
declare
  v_bins console.period_bins;
  v_today date;
begin
  v_bins.first_day := period_bins.first_day;
  v_bins.last_day := period_bins.last_day;
  if num_nulls(v_bins.first_day, v_bins.last_day) > 0 then
    v_today := (
      select invite.now_of(s.workspace_id) at time zone period_bins.zone from invite.surveys as s where s.id = period_bins.survey_id)::date;
    select
      coalesce(v_bins.first_day, (min(c.starts_at) at time zone period_bins.zone)::date, v_today),
      coalesce(v_bins.last_day, (max(c.starts_at) at time zone period_bins.zone)::date, v_today)
    into v_bins.first_day, v_bins.last_day
    from (
      (select q.starts_at from invite.result_counts as q where q.survey_id = period_bins.survey_id and not q.whole_day order by q.starts_at limit 1)
      union all
      (select q.starts_at from invite.result_counts as q where q.survey_id = period_bins.survey_id and not q.whole_day order by q.starts_at desc limit 1)
      union all
      (
        select x.starts_at from invite.result_changes as x
        where x.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'result_changes') and x.survey_id = period_bins.survey_id
        group by x.starts_at, x.question, x.value
        having sum(x.number) > 0
      )
    ) as c;
  end if;

  v_bins.unit := case
    when v_bins.last_day - v_bins.first_day < 31 then 'day'
    when v_bins.last_day - v_bins.first_day < 30 * 7 then 'week'
    when v_bins.last_day - v_bins.first_day < 30 * 30 then 'month'
    else 'year'
  end;
  v_bins.starts := array(
    select greatest(b.day::date, v_bins.first_day)
    from generate_series(
      date_trunc(v_bins.unit, v_bins.first_day::timestamp), v_bins.last_day::timestamp, ('1 ' || v_bins.unit)::interval) as b (day)
    order by b.day);
  v_bins.edges := array(
    select e.day::timestamp at time zone period_bins.zone
    from unnest(
      array[coalesce(period_bins.before_first_day, v_bins.first_day), coalesce(period_bins.before_last_day + 1, v_bins.first_day)]
        || v_bins.starts || (v_bins.last_day + 1)) with ordinality as e (day, place)
    order by e.place);
  return v_bins;
end
$$;
comment on function console.period_bins(text, text, date, date, date, date) is
  'How the Results of a survey divide a period. Days are dates in zone.';
