create or replace function invite.is_time_zone(name text) returns boolean
language sql stable parallel safe
as $$
  select exists (select from invite.time_zones as z where lower(z.name) = lower(is_time_zone.name collate "C"))
$$;
comment on function invite.is_time_zone(text) is 'Whether a text names a time zone, in upper or lower case, such as Europe/Berlin or UTC.';
