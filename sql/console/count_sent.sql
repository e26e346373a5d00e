/*
 * Of the newest max_invitations that were accepted before until, those sent from since on: [{day, invited, responded}], by the day of the
 * zone on which they were sent. What bounced without a response isn't
 * invited, but bounced: nobody was asked. Found by batches: the hot table needs no index for it. Pins: batch scan; the bounced ones are
 * read once, because the list of columns asks for them.
 */
create function console.count_sent(
  survey_id text, max_invitations integer, since timestamptz, until timestamptz, zone text,
  out scanned integer, out invited integer, out responded integer, out bounced integer, out days jsonb
)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
  with newest as materialized (
    select i.id, i.sent_at, i.responded_at
    from invite.batches as b
    cross join lateral (select x.* from invite.invitations as x where x.batch_id = b.id offset 0) as i
    where b.survey_id = count_sent.survey_id and b.accepted_at < count_sent.until
    order by b.accepted_at desc
    limit count_sent.max_invitations
  ),
  judged as (
    select
      n.sent_at, n.responded_at,
      n.responded_at is null and n.id in (
        select o.invitation_id from invite.invitation_outcomes as o
        where o.survey_id = count_sent.survey_id and o.outcome = 'bounced' and o.invitation_id >= (select min(m.id) from newest as m)
      ) as bounced
    from newest as n
  )
  select
    (select count(*) from newest as n)::integer, coalesce(sum(d.invited), 0)::integer, coalesce(sum(d.responded), 0)::integer,
    coalesce(sum(d.bounced), 0)::integer,
    coalesce(
      jsonb_agg(jsonb_build_object('day', d.day, 'invited', d.invited, 'responded', d.responded) order by d.day)
        filter (where d.invited > 0), '[]')
  from (
    select
      (j.sent_at at time zone count_sent.zone)::date as day,
      count(j.sent_at) filter (where not j.bounced) as invited,
      count(j.responded_at) as responded,
      count(j.sent_at) filter (where j.bounced) as bounced
    from judged as j
    where j.sent_at >= count_sent.since and j.sent_at < count_sent.until
    group by 1
  ) as d
$$;
comment on function console.count_sent(text, integer, timestamptz, timestamptz, text) is
  'How many of a survey''s newest invitations were sent in a time, bounced and responded to, in all and by day.';
