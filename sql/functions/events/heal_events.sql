/*
 * A job can be missing because a worker was lost while it was awake, because a lease has ended, or after a manual change. Pins: lookup
 * plan.
 */
create or replace function invite.heal_events(at timestamptz default null) returns void
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(heal_events.at);
begin
  if exists (select from invite.new_events as n where n.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'new_events'))
    or exists (select from invite.batches as b where b.workspace_total is null)
  then
    perform graphile_worker.add_job('publish_events', priority => -1);
  end if;
  if exists (
    select from invite.webhook_endpoints as w
    join invite.webhook_deliveries as d on d.endpoint_id = w.id
    where w.paused_at is null and w.disabled_at is null and d.status = 'pending' and d.due_at <= v_now
  ) then
    perform invite.wake_webhooks();
  end if;
end
$$;
comment on function invite.heal_events(timestamptz) is 'Wakes workers for waiting events and webhook deliveries, in case no job is queued for them.';
