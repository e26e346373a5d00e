create function console.count_sent_parts(
  survey_id text, filter console.result_filter, dimension text, key text, edges timestamptz[], rated_until timestamptz, zone text,
  among text[] default null, accepted_since timestamptz default null
) returns table (part text, is_other boolean, invited bigint, responded bigint)
language plpgsql stable
as $$
declare
  v_edges constant timestamptz[] := array(
    select least(e.at, count_sent_parts.rated_until) from unnest(count_sent_parts.edges) with ordinality as e (at, place) order by e.place);
begin
  if count_sent_parts.dimension <> 'month' then
    return query
      select c.part, c.is_other, c.sent - c.bounced, c.responded
      from console.count_sent(
        count_sent_parts.survey_id, coalesce((count_sent_parts.filter).conditions, '[]'), array[v_edges[3], v_edges[cardinality(v_edges)]],
        count_sent_parts.dimension, count_sent_parts.key, count_sent_parts.among, count_sent_parts.accepted_since) as c;
    return;
  end if;
  return query
    select
      to_char(v_edges[c.bin] at time zone count_sent_parts.zone, 'YYYY-MM'), false, coalesce(c.sent, 0) - coalesce(c.bounced, 0), coalesce(c.responded, 0)
    from jsonb_to_recordset(console.count_invited(count_sent_parts.survey_id, (count_sent_parts.filter).conditions, v_edges, count_sent_parts.accepted_since))
      as c (bin integer, sent bigint, responded bigint, bounced bigint)
    where c.bin > 2;
end
$$;
comment on function console.count_sent_parts(text, console.result_filter, text, text, timestamptz[], timestamptz, text, text[], timestamptz) is
  'How many of a survey''s invitations that share a part were sent before rated_until and didn''t bounce, and how many of those have a response.';
