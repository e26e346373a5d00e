/*
 * What the counts of Results count of a message. Of an invitation's first, all at the time when it was sent: a response counts instead of an
 * earlier bounce, because then the email has arrived after all. Of a reminder, only that it was sent.
 */
create or replace function invite.counted_times(number smallint, sent_at timestamptz, responded_at timestamptz, bounced_at timestamptz)
returns table (value text)
language sql immutable parallel safe
as $$
  select v.value
  from (
    values
      ('sent', counted_times.number = 0),
      ('responded', counted_times.number = 0 and counted_times.responded_at is not null),
      ('bounced', counted_times.number = 0 and counted_times.responded_at is null and counted_times.bounced_at is not null),
      ('reminded', counted_times.number > 0)
  ) as v (value, counts)
  where counted_times.sent_at is not null and v.counts
$$;
comment on function invite.counted_times(smallint, timestamptz, timestamptz, timestamptz) is
  'The values that a message adds to the counts of Results: sent, responded, bounced, reminded.';
