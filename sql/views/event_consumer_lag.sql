create or replace view invite.event_consumer_lag as
select
  c.name, c.position, p.published_to - c.position as behind, n.published_at as oldest_unread_at, c.read_at,
  greatest(n.position - c.position - 1, 0) as lost
from invite.event_consumers as c
cross join invite.event_progress as p
left join lateral (
  select e.position, e.published_at from invite.events as e where e.position > c.position and not e.is_moved order by e.position limit 1
) as n on true;
comment on view invite.event_consumer_lag is 'How far each consumer of events has read, and how far it is behind.';
