create or replace function invite.queue_test_advance(workspace_id text, after_seconds integer default 0) returns void
language plpgsql volatile
as $$
begin
  perform graphile_worker.add_job(
    'advance_test_clock', json_build_object('workspace_id', queue_test_advance.workspace_id),
    run_at => invite.clock() + queue_test_advance.after_seconds * interval '1 second');
end
$$;
comment on function invite.queue_test_advance(text, integer) is 'Queues a turn of moving the clock of a test workspace.';
