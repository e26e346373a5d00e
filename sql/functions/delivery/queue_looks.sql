/*
 * For a change of rules about when emails may leave. Two jobs: one at once, and one after a minute, when claims that read the old rules and put
 * emails off by them have ended.
 */
create or replace function invite.queue_looks(task text, payload json) returns void
language plpgsql volatile
as $$
begin
  perform graphile_worker.add_job(queue_looks.task, queue_looks.payload, run_at => t.run_at, priority => -1)
  from (values (invite.clock()), (invite.clock() + interval '1 minute')) as t (run_at);
end
$$;
comment on function invite.queue_looks(text, json) is 'Queues two looks at what a rule has put off: requeue_waiting of a survey, or requeue_workspace.';
