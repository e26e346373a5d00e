/*
 * Reads the newest max_rows responses. Returns the keys with at most max_values different values, the most common first.
 */
create function console.result_offers(
  session_hash bytea, survey_id text, max_rows integer default 2000, max_keys integer default 20, max_values integer default 30
) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(result_offers.session_hash, result_offers.survey_id, 'viewer');
  return (
    with given as (
      select m.key, m.value, count(*) as number
      from invite.responses as r
      cross join lateral jsonb_each_text(r.metadata) as m
      where r.id = any (console.find_responses(result_offers.survey_id, null, null, result_offers.max_rows)) and length(m.value) <= 100
      group by 1, 2
    )
    select coalesce(jsonb_agg(jsonb_build_object('key', k.key, 'values', k.values) order by k.number desc, k.key), '[]')
    from (
      select g.key, sum(g.number) as number, jsonb_agg(g.value order by g.number desc, g.value) as values
      from given as g
      group by g.key
      having count(*) <= result_offers.max_values
      order by 2 desc, g.key
      limit result_offers.max_keys
    ) as k);
end
$$;
comment on function console.result_offers(bytea, text, integer, integer, integer) is
  'The metadata that Results can be filtered by: [{key, values}], from a survey''s newest responses.';
