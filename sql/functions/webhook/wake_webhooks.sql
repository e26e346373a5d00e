/*
 * For what is due later, to the second: what is tried again in the same second shares a job.
 */
create or replace function invite.wake_webhooks(at timestamptz default null) returns void
language plpgsql volatile
as $$
begin
  perform graphile_worker.add_job(
    'send_webhooks', run_at => wake_webhooks.at, priority => -1, job_key => 'send_webhooks ' || extract(epoch from wake_webhooks.at)::bigint);
end
$$;
comment on function invite.wake_webhooks(timestamptz) is 'Has a worker look for webhook deliveries that are due: at once, or at a time.';
