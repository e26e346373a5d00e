/*
 * The caller has checked the role. before_id: the last response of the previous page. If it was deleted, the page begins with the newest
 * response that has a lower id. Only rows of the survey are read to find it.
 *
 * Metadata that many responses have is found by reading the newest responses in the order of the page. Rare metadata is found by the index
 * of metadata, which has no order. The function first reads a window of the newest responses: if these fill a page, it doesn't need the
 * index. Pins: index order, open bound.
 */
create function console.find_responses(
  survey_id text, filter console.result_filter, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off
as $$
declare
  v_id constant bigint := coalesce(find_responses.before_id, 9223372036854775807);
  v_rare constant boolean := console.metadata_condition(find_responses.survey_id, find_responses.filter) is not null;
  v_at timestamptz := coalesce((find_responses.filter).until, 'infinity');
  v_ids bigint[];
begin
  if find_responses.before_id is not null then
    v_at := coalesce(
      (select r.submitted_at from invite.responses as r where r.id = v_id and r.survey_id || '' = find_responses.survey_id),
      (
        select r.submitted_at
        from invite.responses as r
        where r.survey_id = find_responses.survey_id and r.id + 0 < v_id
        order by r.submitted_at desc, r.id desc
        limit 1
      ));
  end if;
  execute format(
    $q$
      select array(
        select r.id
        from (
          select r.id, r.submitted_at, r.answers, r.metadata, r.language, r.trigger_token_id
          from invite.responses as r
          where r.survey_id = $1 and (r.submitted_at, r.id) < ($2, $3) and %s
          order by r.submitted_at desc, r.id desc
          limit $5
        ) as r
        where %s
        order by r.submitted_at desc, r.id desc
        limit $4)
    $q$,
    case
      when v_rare then console.result_condition(find_responses.survey_id, row((find_responses.filter).since, (find_responses.filter).until, null, null, null)::console.result_filter)
      else console.result_condition(find_responses.survey_id, find_responses.filter)
    end,
    case when v_rare then console.result_condition(find_responses.survey_id, find_responses.filter) else 'true' end)
  into v_ids
  using
    find_responses.survey_id, v_at, v_id, find_responses.max_rows,
    case when v_rare then greatest(2000, 4 * find_responses.max_rows) end;
  if v_rare and cardinality(v_ids) < find_responses.max_rows then
    return console.match_responses(find_responses.survey_id, find_responses.filter, v_at, v_id, find_responses.max_rows);
  end if;
  return v_ids;
end
$$;
comment on function console.find_responses(text, console.result_filter, bigint, integer) is
  'The ids of the responses of a survey that a filter selects, newest first, before a response.';
