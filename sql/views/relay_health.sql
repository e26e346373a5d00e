create or replace view invite.relay_health as
select r.id, r.condition, r.since, r.paused_until, r.code, r.detail, r.faults, r.rejected_in_a_row, r.rejected_workspaces
from invite.relays as r;
comment on view invite.relay_health is
  'Whether a relay accepts email: healthy, busy (until paused_until), or fault (code and detail say which; probed at paused_until). '
  'rejected_workspaces: whose content it has rejected since it last took a message. Fewer than three never make a fault, even if there are no others: '
  'a wrong text of theirs looks the same, and what has failed can be retried. No row: healthy.';
