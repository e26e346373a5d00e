create or replace view invite.relay_health as
select r.id, r.condition, r.since, r.paused_until, r.code, r.detail, r.faults, r.rejected_in_a_row
from invite.relays as r;
comment on view invite.relay_health is
  'Whether a relay accepts email: healthy, busy (until paused_until), or fault (code and detail say which; probed at paused_until). No row: healthy.';
