create or replace function invite.alerts_per_hour() returns integer
language sql immutable parallel safe
as $$
  select 5
$$;
comment on function invite.alerts_per_hour() is 'How many emails about low scores a member gets within an hour. What is more comes together in one, later.';
