create or replace function invite.count_sealed_secrets(out key_id text, out secrets integer) returns setof record
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select split_part(s.secret, '.', 2), count(*)::integer
  from invite.sealed_secrets() as s
  group by 1
  order by 1
$$;
comment on function invite.count_sealed_secrets() is 'How many stored secrets each key has encrypted, for the command check.';
