/*
 * All test workspaces share one queue: one turn at a time, behind the jobs that send, so that a tenant who moves many clocks takes one place of the
 * workers from nobody. The turns of several workspaces follow each other.
 */
create or replace function invite.queue_test_advance(workspace_id text, after_seconds integer default 0) returns void
language plpgsql volatile
as $$
begin
  perform graphile_worker.add_job(
    'advance_test_clock', json_build_object('workspace_id', queue_test_advance.workspace_id),
    queue_name => 'test_clocks', run_at => invite.clock() + queue_test_advance.after_seconds * interval '1 second',
    job_key => 'advance_test_clock ' || queue_test_advance.workspace_id, priority => 1);
end
$$;
comment on function invite.queue_test_advance(text, integer) is 'Queues a turn of moving the clock of a test workspace.';
