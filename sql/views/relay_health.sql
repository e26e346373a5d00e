create or replace view invite.relay_health as
select r.id, r.condition, r.since, r.paused_until, r.code, r.detail, r.faults, r.rejected_in_a_row, r.rejected_workspaces
from invite.relays as r;
comment on view invite.relay_health is
  'Whether a relay accepts email: healthy, busy (until paused_until), or fault (code and detail say which; a probe is sent at paused_until). No '
  'row: healthy. rejected_workspaces: the workspaces whose content it has rejected since it last accepted a message. Fewer than three are never '
  'a fault, even if there are no other workspaces: a wrong text in these workspaces looks the same, and their failed messages can be retried.';
