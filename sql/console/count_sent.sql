/*
 * Of the newest max_invitations: [{day, invited, responded}], by the day (UTC) on which they were sent. Found by batches: the hot table
 * needs no index for it. Pins: batch scan.
 */
create function console.count_sent(
  survey_id text, max_invitations integer, out scanned integer, out invited integer, out responded integer, out days jsonb
)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
  select
    coalesce(sum(d.scanned), 0)::integer, coalesce(sum(d.invited), 0)::integer, coalesce(sum(d.responded), 0)::integer,
    coalesce(
      jsonb_agg(jsonb_build_object('day', d.day, 'invited', d.invited, 'responded', d.responded) order by d.day)
        filter (where d.day is not null), '[]')
  from (
    select
      (n.sent_at at time zone 'UTC')::date as day, count(*) as scanned, count(n.sent_at) as invited,
      count(n.responded_at) filter (where n.sent_at is not null) as responded
    from (
      select i.sent_at, i.responded_at
      from invite.batches as b
      cross join lateral (select x.* from invite.invitations as x where x.batch_id = b.id offset 0) as i
      where b.survey_id = count_sent.survey_id
      order by b.accepted_at desc
      limit count_sent.max_invitations
    ) as n
    group by 1
  ) as d
$$;
comment on function console.count_sent(text, integer) is
  'How many of a survey''s newest invitations were sent and responded to, in all and by day.';
