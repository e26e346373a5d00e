create or replace function invite.count_broken_invariants() returns table (code invite.broken_invariant, emails bigint)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select c.code, count(b.code)
  from unnest(enum_range(null::invite.broken_invariant)) as c (code)
  left join invite.broken_invariants as b on b.code = c.code
  group by c.code;
end
$$;
comment on function invite.count_broken_invariants() is
  'The view broken_invariants, counted for monitoring: how much is stuck in each way; 0 if none.';
