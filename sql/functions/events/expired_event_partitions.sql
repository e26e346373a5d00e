/*
 * Includes detached partitions, so that an interrupted prune can continue.
 */
create or replace function invite.expired_event_partitions(at timestamptz default null)
returns table (name text, attached boolean, pending boolean)
language sql stable
as $$
  select c.relname::text, h.inhrelid is not null, coalesce(h.inhdetachpending, false)
  from pg_class as c
  left join pg_inherits as h on h.inhrelid = c.oid
  cross join invite.retention as r
  where r.what = 'events'
    and c.relnamespace = 'invite'::regnamespace and c.relkind = 'r' and c.relname ~ '^events_\d{8}$'
    and (to_date(right(c.relname, 8), 'YYYYMMDD') + 7)::timestamp at time zone 'UTC'
      <= invite.now(expired_event_partitions.at) - invite.kept_days(r, invite.now(expired_event_partitions.at)) * interval '1 day'
  order by c.relname
$$;
comment on function invite.expired_event_partitions(timestamptz) is
  'The weekly partitions of events that are past their retention; whether each is still attached, and whether a detach was interrupted.';
