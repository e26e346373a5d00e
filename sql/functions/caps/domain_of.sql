create or replace function invite.domain_of(email text) returns text
language sql immutable parallel safe
as $$
  select lower(substring(email from '[^@]+$') collate "C")
$$;
comment on function invite.domain_of(text) is 'The domain of an address, in lower case.';
