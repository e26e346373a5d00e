/*
 * Interval: Student's t. Source: NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.5.2.
 */
create or replace function invite.estimate_mean(responses bigint, total numeric, squares numeric) returns invite.estimate
language sql immutable parallel safe
as $$
  select row(m.mean, m.mean - m.half, m.mean + m.half, responses)::invite.estimate
  from (
    select
      (total / nullif(responses, 0))::float8 as mean,
      invite.critical_t(responses - 1)
        * sqrt(greatest(squares - total * total / nullif(responses, 0), 0) / nullif(responses - 1, 0) / nullif(responses, 0))::float8 as half
  ) as m
  where responses > 0
$$;
comment on function invite.estimate_mean(bigint, numeric, numeric) is
  'The mean of numbers, from their total and the total of their squares, with its 95 % interval (Student''s t). Null without responses; no '
  'interval for one response.';
