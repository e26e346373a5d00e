/*
 * The only place where views, and functions that only read, ask for the time: within a statement it stands still.
 */
create or replace function invite.now(at timestamptz default null) returns timestamptz
language sql stable
as $$
  select coalesce(at, statement_timestamp())
$$;
comment on function invite.now(timestamptz) is 'The time that was given or, if none was, that of the present statement.';
