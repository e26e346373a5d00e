/*
 * Interval: Wilson's score, without continuity correction. Source: R. G. Newcombe, "Two-sided confidence intervals for the single proportion:
 * comparison of seven methods", Statistics in Medicine 17 (1998), 857-872, method 3.
 */
create or replace function invite.estimate_share(chosen bigint, responses bigint) returns invite.estimate
language sql immutable parallel safe
as $$
  select row(
    c.p,
    greatest((c.p + c.z2 / (2 * c.n) - c.half) / (1 + c.z2 / c.n), 0),
    least((c.p + c.z2 / (2 * c.n) + c.half) / (1 + c.z2 / c.n), 1),
    responses)::invite.estimate
  from (
    select s.p, s.z2, s.n, sqrt(s.z2 * (s.p * (1 - s.p) / s.n + s.z2 / (4 * s.n ^ 2))) as half
    from (
      select chosen / nullif(responses, 0)::float8 as p, nullif(responses, 0)::float8 as n, invite.critical_t(null) ^ 2 as z2
    ) as s
  ) as c
  where responses > 0
$$;
comment on function invite.estimate_share(bigint, bigint) is
  'A share of responses, 0 to 1, with its 95 % interval (Wilson''s score). Null without responses.';
