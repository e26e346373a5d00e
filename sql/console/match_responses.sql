/*
 * Without its pins, the planner may guess that the survey has few responses or that the key is common, and take another index, which reads
 * every response. Scans in index order are off for the same reason. Bitmap scans and sorts, which the caller turns off, are on: the index
 * of metadata has no other kind of scan. work_mem lets a bitmap of a million matches keep each row. Pins: opaque column.
 */
create function console.match_responses(
  survey_id text, filter console.result_filter, before_at timestamptz, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = on set enable_sort = on set work_mem = '32MB' set jit = off
as $$
declare
  v_ids bigint[];
begin
  execute format(
    $q$
      select array(
        select m.id
        from (
          select r.id, r.submitted_at
          from invite.responses as r
          where %s and (r.submitted_at, r.id + 0) < ($2, $3)
        ) as m
        order by m.submitted_at desc, m.id desc
        limit $4)
    $q$,
    console.result_match(match_responses.survey_id, match_responses.filter))
  into v_ids
  using match_responses.survey_id, match_responses.before_at, match_responses.before_id, match_responses.max_rows;
  return v_ids;
end
$$;
comment on function console.match_responses(text, console.result_filter, timestamptz, bigint, integer) is
  'The newest responses of a survey with some metadata, found by the index of metadata.';
