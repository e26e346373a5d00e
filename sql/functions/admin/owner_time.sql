/*
 * Otherwise the web server's role could pass limits, and outlive a session, with a time of its own.
 */
create or replace function invite.owner_time(at timestamptz) returns timestamptz
language sql stable
as $$
  select case when owner_time.at is not null and invite.is_owner() then owner_time.at end
$$;
comment on function invite.owner_time(timestamptz) is
  'The argument at of a function that a separate role can execute: null, and so the clock, unless the caller is the owner.';
