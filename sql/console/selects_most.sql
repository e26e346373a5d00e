-- Reads the newest max_rows responses before each of max_times points in time: the newest of all may differ from the rest. Pins: index order.
create function console.selects_most(
  survey_id text, filter console.result_filter, since timestamptz, until timestamptz, max_times integer default 20, max_rows integer default 50
) returns boolean
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off
as $$
declare
  v_most boolean;
begin
  execute format(
    $q$
      select 2 * count(*) filter (where %s) > count(*)
      from generate_series(1, $4) as t (number)
      cross join lateral (
        select r.*
        from invite.responses as r
        where r.survey_id = $1 and r.submitted_at >= $2 and r.submitted_at < $2 + ($3 - $2) * t.number / $4
        order by r.submitted_at desc, r.id desc
        limit $5
      ) as r
    $q$,
    console.result_condition(selects_most.survey_id, selects_most.filter))
  into v_most
  using selects_most.survey_id, selects_most.since, selects_most.until, selects_most.max_times, selects_most.max_rows;
  return v_most;
end
$$;
comment on function console.selects_most(text, console.result_filter, timestamptz, timestamptz, integer, integer) is
  'Whether a filter selects most of a survey''s responses that were submitted between two times, judged by a sample.';
