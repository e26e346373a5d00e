/*
 * Reads the newest max_rows responses. Returns the keys with at most max_values different values, the most common first, their languages, and the
 * first 50 trigger tokens.
 */
create function console.result_offers(
  session_hash bytea, survey_id text, max_rows integer default 2000, max_keys integer default 20, max_values integer default 30
) returns jsonb
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  perform console.require_survey_role(result_offers.session_hash, result_offers.survey_id, 'viewer');
  v_ids := console.find_responses(result_offers.survey_id, null, null, result_offers.max_rows);
  return (
    with given as (
      select m.key, m.value, count(*) as number
      from invite.responses as r
      cross join lateral jsonb_each_text(r.metadata) as m
      where r.id = any (v_ids) and length(m.value) <= 100
      group by 1, 2
    )
    select jsonb_build_object(
      'metadata', coalesce(jsonb_agg(jsonb_build_object('key', k.key, 'values', k.values) order by k.number desc, k.key), '[]'),
      'languages', array(
        select r.language from invite.responses as r where r.id = any (v_ids) and r.language is not null group by 1 order by count(*) desc, 1),
      'tokens', coalesce(
        (
          select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name) order by t.created_at, t.id)
          from (
            select x.id, x.name, x.created_at from invite.trigger_tokens as x where x.survey_id = result_offers.survey_id order by x.created_at, x.id limit 50
          ) as t
        ),
        '[]'))
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
  'What Results can be filtered and broken down by: {metadata: [{key, values}], languages, tokens: [{id, name}]}, from a survey''s newest responses.';
