create or replace function invite.allowed_quota(recipients_per_hour integer) returns integer
language sql stable
as $$
  select case
    when invite.is_owner() then allowed_quota.recipients_per_hour
    else least(allowed_quota.recipients_per_hour, (select s.recipients_per_hour from invite.settings as s))
  end
$$;
comment on function invite.allowed_quota(integer) is 'The hourly quota that a caller may apply: for all but the owner at most that of settings.';
