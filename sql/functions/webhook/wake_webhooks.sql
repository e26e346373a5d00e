/*
 * The job's key has the time to the second, so that deliveries that are due in the same second share a job.
 */
create or replace function invite.wake_webhooks(at timestamptz default null) returns void
language plpgsql volatile
as $$
begin
  perform graphile_worker.add_job(
    'send_webhooks', run_at => wake_webhooks.at, priority => -1, job_key => 'send_webhooks ' || extract(epoch from wake_webhooks.at)::bigint);
end
$$;
comment on function invite.wake_webhooks(timestamptz) is 'Queues a job that sends due webhook deliveries: now, or at a time.';
