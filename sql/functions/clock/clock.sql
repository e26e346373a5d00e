/*
 * The only place where functions that write ask for the time. A function that waits for a lock asks after it. A test, or a program
 * that replays something, gives the time as an argument.
 */
create or replace function invite.clock(at timestamptz default null) returns timestamptz
language sql volatile
as $$
  select coalesce(at, clock_timestamp())
$$;
comment on function invite.clock(timestamptz) is 'The time that was given or, if none was, the present time.';
