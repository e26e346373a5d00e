/*
 * The caller has checked the role.
 *
 * A key that most responses have is found among the newest, in the order of the page; a rare one by the index of metadata, which has no
 * order. The newest window of responses shows which it is: if it fills a page, the index isn't needed.
 */
create function console.find_responses(
  survey_id text, metadata_key text, metadata_value text, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
as $$
declare
  -- Pins: open bound.
  v_before constant bigint := coalesce(find_responses.before_id, 9223372036854775807);
  v_window constant integer := greatest(2000, 4 * find_responses.max_rows);
  v_ids bigint[];
begin
  if find_responses.metadata_key is null then
    return array(
      select r.id
      from invite.responses as r
      where r.survey_id = find_responses.survey_id and r.id < v_before
      order by r.id desc
      limit find_responses.max_rows);
  end if;
  v_ids := array(
    select n.id
    from (
      select r.id, r.metadata
      from invite.responses as r
      where r.survey_id = find_responses.survey_id and r.id < v_before
      order by r.id desc
      limit v_window
    ) as n
    where n.metadata ? find_responses.metadata_key
      and (find_responses.metadata_value is null or n.metadata ->> find_responses.metadata_key = find_responses.metadata_value)
    order by n.id desc
    limit find_responses.max_rows);
  if cardinality(v_ids) = find_responses.max_rows then
    return v_ids;
  end if;
  return console.match_responses(
    find_responses.survey_id, find_responses.metadata_key, find_responses.metadata_value, v_before,
    find_responses.max_rows);
end
$$;
comment on function console.find_responses(text, text, text, bigint, integer) is
  'The ids of a survey''s responses, newest first, before an id; those with a metadata key and value, if given.';
