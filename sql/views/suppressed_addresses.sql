create or replace view invite.suppressed_addresses as
select s.workspace_id, s.email, s.reason, s.created_at, e.relay, e.type as event_type, e.occurred_at, e.detail
from invite.suppressions as s
left join lateral (
  select r.*
  from invite.addresses as a
  join invite.relay_events as r on r.invitation_id = a.invitation_id
  where a.workspace_id = s.workspace_id and a.email = s.email and r.type in ('hard_bounce', 'complaint', 'unsubscribe')
  order by r.occurred_at desc
  limit 1
) as e on true;
comment on view invite.suppressed_addresses is 'Addresses that a workspace must not email, why, and what the relay last reported about them.';
