create or replace view invite.worker_health as
select
  w.id, w.hostname, w.pid, w.started_at, w.heartbeat_at, invite.now() - w.heartbeat_at as silent_for,
  (select count(*)::integer from invite.messages as m where m.worker_id = w.id and m.status = 'sending') as sending,
  w.jobs_taken_at,
  least(w.heartbeat_at, w.jobs_taken_at) > invite.now() - invite.lost_after_seconds() * interval '1 second' as is_running
from invite.workers as w;
comment on view invite.worker_health is
  'The workers: when each last reported and last took a job, whether it counts as running, and how many emails it is sending.';
