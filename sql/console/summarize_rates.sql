create function console.summarize_rates(bins jsonb) returns jsonb
language sql stable
as $$
  select jsonb_agg(
    jsonb_build_object(
      'first', r.first, 'last', r.last, 'invited', r.invited, 'responded', r.responded, 'low', (r.share).low, 'high', (r.share).high)
    order by r.first)
  from (
    select
      min(g.bin) as first, max(g.bin) as last, sum(b.invited)::bigint as invited, sum(b.responded)::bigint as responded,
      invite.estimate_share(sum(b.responded)::bigint, sum(b.invited)::bigint) as share
    from unnest(invite.trend_groups(array(
      select (b.value ->> 'invited')::bigint from jsonb_array_elements(summarize_rates.bins) with ordinality as b order by b.ordinality
    ))) with ordinality as g (place, bin)
    cross join lateral jsonb_to_record(summarize_rates.bins -> (g.bin - 1)::integer) as b (invited bigint, responded bigint)
    group by g.place
  ) as r
$$;
comment on function console.summarize_rates(jsonb) is
  'The points of the trend of a response rate (trend_groups), with the interval of each share. bins: [{invited, responded}].';
