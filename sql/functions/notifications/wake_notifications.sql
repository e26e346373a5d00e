/*
 * The key has the time to the minute, so that reports that are due together share a job. Without a time there is no key: two responses that are
 * recorded at the same moment would otherwise wait for each other.
 */
create or replace function invite.wake_notifications(at timestamptz default null) returns void
language plpgsql volatile
as $$
begin
  perform graphile_worker.add_job(
    'send_notifications', run_at => wake_notifications.at, job_key => 'send_notifications ' || extract(epoch from date_trunc('minute', wake_notifications.at))::bigint);
end
$$;
comment on function invite.wake_notifications(timestamptz) is 'Queues a job that sends emails to members: now, or at a time.';
