create or replace function invite.id_ranges() returns table (first bigint, last bigint)
language sql immutable parallel safe
as $$
  select n * 17592186044416, n * 17592186044416 + 17592186044415 from generate_series(0::bigint, 255) as n
$$;
comment on function invite.id_ranges() is 'The ids that each database gives its rows: see place_ids. Those of test invitations are others.';
