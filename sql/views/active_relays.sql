create or replace view invite.active_relays as
select r.id, r.condition, r.since, r.paused_until, r.code, r.allowance, r.allowance_at
from invite.relays as r
where exists (
  select from invite.workers as w
  where w.relay = r.id and least(w.heartbeat_at, w.jobs_taken_at) > invite.now() - invite.lost_after_seconds() * interval '1 second'
);
comment on view invite.active_relays is
  'The relays that running workers send to. A relay that is no longer used keeps its last condition in invite.relays, and delays nothing.';
