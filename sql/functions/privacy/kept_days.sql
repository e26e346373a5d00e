create or replace function invite.kept_days(setting invite.retention, at timestamptz) returns integer
language sql immutable parallel safe
as $$
  select case when setting.effective_at <= kept_days.at then setting.days else setting.previous_days end
$$;
comment on function invite.kept_days(invite.retention, timestamptz) is
  'For how many days something is kept by the setting that holds at a time. Null: for good.';
