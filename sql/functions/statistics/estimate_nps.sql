/*
 * Promoters gave 9 or 10, passives 7 or 8, detractors 0 to 6. Interval: adjusted Wald, with the variance of a trinomial after 3/4 is added
 * to promoters and detractors, and 3 to all. Source: B. Rocks, "Interval Estimation for the 'Net Promoter Score'", The American
 * Statistician 70 (2016), 365-372. This interval is good even for few responses; the plain interval would have no width if all responses
 * agreed. With few responses the interval may not contain the score itself: then it is widened to it.
 */
create or replace function invite.estimate_nps(promoters bigint, passives bigint, detractors bigint) returns invite.estimate
language sql immutable parallel safe
as $$
  select row(
    100 * a.plain,
    100 * least(greatest(a.net - a.half, -1), a.plain),
    100 * greatest(least(a.net + a.half, 1), a.plain),
    promoters + passives + detractors)::invite.estimate
  from (
    select c.net, (promoters - detractors) / nullif(c.n - 3, 0) as plain, invite.critical_t(null) * sqrt((c.extreme - c.net ^ 2) / c.n) as half
    from (
      select (promoters - detractors) / s.n as net, (promoters + detractors + 1.5) / s.n as extreme, s.n
      from (select promoters + passives + detractors + 3::float8 as n) as s
    ) as c
  ) as a
  where promoters + passives + detractors > 0
$$;
comment on function invite.estimate_nps(bigint, bigint, bigint) is
  'A Net Promoter Score, -100 to 100, with its 95 % interval (adjusted Wald, Rocks 2016). Null without responses.';
