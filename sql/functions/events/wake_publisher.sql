/*
 * Adds one job in a transaction.
 */
create or replace function invite.wake_publisher() returns void
language plpgsql volatile
as $$
begin
  if current_setting('invite.publisher_woken', true) is distinct from 'on' then
    perform graphile_worker.add_job('publish_events', priority => -1);
    perform set_config('invite.publisher_woken', 'on', true);
  end if;
end
$$;
comment on function invite.wake_publisher() is 'Queues a job that publishes the events of the caller''s transaction after its commit.';
