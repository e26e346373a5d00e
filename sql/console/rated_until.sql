create function console.rated_until(at timestamptz) returns timestamptz
language sql immutable parallel safe
as $$
  select date_bin('15 minutes', rated_until.at - interval '3 days', '2000-01-01 00:00Z')
$$;
comment on function console.rated_until(timestamptz) is
  'Response rates cover what was sent before this: younger invitations had no time to be answered. A quarter hour, as result_counts has them.';
