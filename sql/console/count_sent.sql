/*
 * Reads all invitations of the survey, by batches, because neither table has an index of metadata. Pins: lookup plan.
 */
create function console.count_sent(survey_id text, metadata jsonb, edges timestamptz[])
returns table (bin integer, sent bigint, responded bigint, bounced bigint)
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
begin
  return query execute format(
    $q$
      select
        width_bucket(r.sent_at, $2), count(*), count(r.responded_at),
        count(r.bounced_at) filter (where r.responded_at is null)
      from (
        select m.sent_at, i.responded_at, i.bounced_at, case when i.metadata is null then b.metadata else coalesce(b.metadata, '{}') || i.metadata end as metadata
        from invite.batches as b
        join invite.invitations as i on i.batch_id = b.id
        join invite.messages as m on m.invitation_id = i.id and m.number = 0
        where b.survey_id = $1 and b.accepted_at < $2[cardinality($2)] and m.sent_at >= $2[1] and m.sent_at < $2[cardinality($2)]
      ) as r
      where %s
      group by 1
    $q$,
    console.result_condition(row(null, null, count_sent.metadata, null, null)::console.result_filter))
  using count_sent.survey_id, count_sent.edges;
end
$$;
comment on function console.count_sent(text, jsonb, timestamptz[]) is
  'How many of a survey''s invitations with some metadata were sent between each two edges, and how many of those were responded to, or bounced '
  'without a response.';
