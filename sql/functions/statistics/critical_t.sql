/*
 * Above 8 degrees of freedom it uses four terms of the expansion around the normal quantile: M. Abramowitz, I. Stegun, "Handbook of
 * Mathematical Functions", 26.7.5. The error is then below 0.00002.
 */
create or replace function invite.critical_t(degrees bigint) returns double precision
language sql immutable parallel safe
as $$
  select case
    when degrees is null then z
    when degrees < 1 then null
    when degrees < 9 then (array[12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060])[degrees]
    else
      z + (z ^ 3 + z) / 4 / degrees + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / 96 / degrees ^ 2
        + (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / 384 / degrees ^ 3
        + (79 * z ^ 9 + 776 * z ^ 7 + 1482 * z ^ 5 - 1920 * z ^ 3 - 945 * z) / 92160 / degrees ^ 4
  end
  from (values (1.959963984540054::float8)) as q (z)
$$;
comment on function invite.critical_t(bigint) is
  'The 97.5 % quantile of Student''s t with these degrees of freedom; null: of the normal distribution.';
