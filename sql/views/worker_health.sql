create or replace view invite.worker_health as
select
  w.id, w.hostname, w.pid, w.started_at, w.heartbeat_at, clock_timestamp() - w.heartbeat_at as silent_for,
  (select count(*)::integer from invite.invitations as i where i.worker_id = w.id and i.status = 'sending') as sending
from invite.workers as w;
comment on view invite.worker_health is 'The workers: when each last reported, and how many emails it is sending.';
