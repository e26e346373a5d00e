/*
 * The ids of a survey's responses, newest first, before an id (null: from the newest on); of those that have a metadata key, and a value, if
 * they are given. Called by: result_page, result_keys, result_summary, which have asked for the role.
 *
 * A key that most responses have is found among the newest, in the order of the page; one that few have, by the index of metadata, which
 * has no order. Which of the two it is shows in the newest window of responses: what fills a page from there needs no index.
 */
create or replace function invite.find_responses(
  survey_id text, metadata_key text, metadata_value text, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
as $$
declare
  -- No `is null or`: in a plan that is kept for all calls the index would then begin at the newest response each time.
  v_before constant bigint := coalesce(find_responses.before_id, 9223372036854775807);
  v_window constant integer := greatest(5000, 4 * find_responses.max_rows);
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
  return invite.match_responses(
    find_responses.survey_id, find_responses.metadata_key, find_responses.metadata_value, v_before,
    find_responses.max_rows);
end
$$;
comment on function invite.find_responses(text, text, text, bigint, integer) is
  'The ids of a survey''s responses, newest first, before an id; those with a metadata key and value, if given.';
