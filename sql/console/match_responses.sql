/*
 * Pins: opaque column. By a guess of how many responses the survey has, or how common the key is, the planner may take another index,
 * which reads every response; scans in index order are off for the same reason. work_mem: so that a million matches are remembered row
 * by row.
 */
create function console.match_responses(
  survey_id text, metadata_key text, metadata_value text, before_id bigint, max_rows integer
) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_indexscan = off set work_mem = '32MB' set jit = off
as $$
declare
  v_terms constant bigint[] :=
    array[invite.metadata_term(match_responses.survey_id, match_responses.metadata_key, match_responses.metadata_value)];
begin
  return array(
    with matches as materialized (
      select r.id
      from invite.responses as r
      where invite.metadata_terms(r.survey_id, r.metadata) @> v_terms and r.metadata is not null
        and r.survey_id || '' = match_responses.survey_id
        and r.metadata ? match_responses.metadata_key
        and (match_responses.metadata_value is null or r.metadata ->> match_responses.metadata_key = match_responses.metadata_value)
        and r.id + 0 < match_responses.before_id
    )
    select m.id from matches as m order by m.id desc limit match_responses.max_rows);
end
$$;
comment on function console.match_responses(text, text, text, bigint, integer) is
  'The newest responses of a survey that have a metadata key, or a key with a value, found by the index of metadata.';
