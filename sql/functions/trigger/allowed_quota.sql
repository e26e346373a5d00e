/*
 * PL/pgSQL keeps the plan: in SQL the function took 0.2 ms of each call.
 */
create or replace function invite.allowed_quota(recipients_per_hour integer) returns integer
language plpgsql stable
as $$
begin
  if invite.is_owner() then
    return allowed_quota.recipients_per_hour;
  end if;
  return least(allowed_quota.recipients_per_hour, (select s.recipients_per_hour from invite.settings as s));
end
$$;
comment on function invite.allowed_quota(integer) is
  'The hourly quota that a caller may apply: the owner any, all others at most the quota in settings.';
