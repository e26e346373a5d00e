/*
 * What the counts of Results count of an invitation, all at the time when it was sent. A response counts instead of an earlier bounce: then the
 * email has arrived after all.
 */
create or replace function invite.counted_times(sent_at timestamptz, responded_at timestamptz, bounced_at timestamptz) returns table (value text)
language sql immutable parallel safe
as $$
  select v.value
  from (
    values
      ('sent', true),
      ('responded', counted_times.responded_at is not null),
      ('bounced', counted_times.responded_at is null and counted_times.bounced_at is not null)
  ) as v (value, counts)
  where counted_times.sent_at is not null and v.counts
$$;
comment on function invite.counted_times(timestamptz, timestamptz, timestamptz) is
  'The values that an invitation adds to the counts of Results: sent, responded, bounced.';
