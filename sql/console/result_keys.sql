create type console.result_keys as (answer_keys text[], metadata_keys text[], scanned integer, last_id bigint);
comment on type console.result_keys is
  'The columns that a page of responses needs. scanned: how many responses were read. last_id: the last one read; null: there was none.';

/*
 * Returns at most max_keys answers and max_keys metadata keys, the most common first. They are the columns of the CSV file, and those that
 * the page offers. To read many responses, call the function again with the last_id of the previous call.
 */
create function console.result_keys(
  session_hash bytea, survey_id text, filter console.result_filter default null,
  before_id bigint default null, max_rows integer default 1000, max_keys integer default 200
) returns console.result_keys
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_keys console.result_keys;
  v_ids bigint[];
begin
  perform console.require_survey_role(result_keys.session_hash, result_keys.survey_id, 'viewer');
  v_ids := console.find_responses(result_keys.survey_id, result_keys.filter, result_keys.before_id, result_keys.max_rows);
  v_keys.answer_keys := array(
    select k.key
    from invite.responses as r
    cross join lateral jsonb_object_keys(r.answers) as k (key)
    where r.id = any (v_ids)
    group by k.key order by count(*) desc, k.key
    limit result_keys.max_keys);
  v_keys.metadata_keys := array(
    select k.key
    from invite.responses as r
    cross join lateral jsonb_object_keys(r.metadata) as k (key)
    where r.id = any (v_ids)
    group by k.key order by count(*) desc, k.key
    limit result_keys.max_keys);
  v_keys.scanned := cardinality(v_ids);
  v_keys.last_id := v_ids[cardinality(v_ids)];
  return v_keys;
end
$$;
comment on function console.result_keys(bytea, text, console.result_filter, bigint, integer, integer) is
  'The answers and metadata keys that occur in a survey''s newest responses before an id; bounded.';
