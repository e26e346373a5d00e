/*
 * Otherwise the web server's role could pass its own time, and so exceed limits and use sessions that have ended.
 */
create or replace function invite.owner_time(at timestamptz) returns timestamptz
language sql stable
as $$
  select case when owner_time.at is not null and invite.is_owner() then owner_time.at end
$$;
comment on function invite.owner_time(timestamptz) is
  'The argument at of a function that a separate role can execute. Only the owner''s value counts; for others it is null, which means the clock.';
