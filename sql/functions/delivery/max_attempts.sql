create or replace function invite.max_attempts() returns integer
language sql immutable parallel safe
as $$
  select 12
$$;
comment on function invite.max_attempts() is 'Attempts at a message after which it fails.';
