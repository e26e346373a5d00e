-- What the metrics say of the queue; see sql/functions/queue_metrics.sql.

create type invite.queue_state as (
  due bigint,
  overdue_seconds double precision,
  waiting bigint,
  sending bigint,
  workers bigint
);
comment on type invite.queue_state is
  'The queue at one moment. due: mails that should have left by now. overdue_seconds: for how long the oldest of them; 0 if there is none. '
  'workers: those with a recent heartbeat.';
