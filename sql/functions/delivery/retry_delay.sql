/*
 * 30 seconds, doubled with each attempt, at most 6 hours, plus up to a fifth at random, so that what failed together does not return
 * together. A relay that asks for more gets it (at most a day).
 */
create or replace function invite.retry_delay(attempts integer, asked_seconds integer) returns interval
language sql volatile
as $$
  select greatest(
    (1 + random() / 5) * least(interval '6 hours', interval '30 seconds' * 2 ^ least(greatest(retry_delay.attempts, 1) - 1, 20)),
    least(interval '24 hours', coalesce(retry_delay.asked_seconds, 0) * interval '1 second')
  );
$$;
comment on function invite.retry_delay(integer, integer) is
  'Backoff after the given number of attempts, with jitter; at least the seconds that the relay asked for.';
