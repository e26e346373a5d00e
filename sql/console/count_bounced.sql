/*
 * Not among result_counts, because bounce and response may commit at the same moment; relays don't let bounces become many. Pins: lookup plan.
 */
create function console.count_bounced(survey_id text, edges timestamptz[])
returns table (bin integer, number bigint)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
  select width_bucket(i.sent_at, edges), count(*)
  from invite.invitation_outcomes as o
  join invite.invitations as i on i.id = o.invitation_id
  where o.survey_id = count_bounced.survey_id and o.outcome = 'bounced' and i.responded_at is null
    and i.sent_at >= edges[1] and i.sent_at < edges[cardinality(edges)]
  group by 1
$$;
comment on function console.count_bounced(text, timestamptz[]) is
  'How many of a survey''s invitations that were sent between each two edges bounced without a response.';
