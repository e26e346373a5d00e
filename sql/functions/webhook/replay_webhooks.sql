/*
 * delivery_id: one. since: all events of its types published since then, delivered or not. Neither: all that failed. What is pending stays as it is.
 *
 * Raises: P0002.
 */
create or replace function invite.replay_webhooks(endpoint_id uuid, delivery_id bigint default null, since timestamptz default null)
returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(replay_webhooks.endpoint_id);
  v_now timestamptz := clock_timestamp();
  v_replayed integer;
begin
  if replay_webhooks.delivery_id is not null then
    update invite.webhook_deliveries as d
    set status = 'pending', due_at = v_now, attempts = 0
    where d.id = replay_webhooks.delivery_id and d.endpoint_id = v_endpoint.id and d.status <> 'pending';
  elsif replay_webhooks.since is null then
    update invite.webhook_deliveries as d
    set status = 'pending', due_at = v_now, attempts = 0
    where d.endpoint_id = v_endpoint.id and d.status = 'failed';
  else
    insert into invite.webhook_deliveries as d (endpoint_id, event_id, event_position, due_at, created_at)
    select v_endpoint.id, e.id, e.position, v_now, e.published_at
    from invite.events as e
    where e.workspace_id = v_endpoint.workspace_id and e.published_at >= replay_webhooks.since
      and (v_endpoint.types is null or e.type = any (v_endpoint.types))
    order by e.position
    on conflict on constraint webhook_deliveries_event_key
    do update set status = 'pending', due_at = v_now, attempts = 0 where d.status <> 'pending';
  end if;
  get diagnostics v_replayed = row_count;
  perform invite.wake_webhooks();
  return v_replayed;
end
$$;
comment on function invite.replay_webhooks(uuid, bigint, timestamptz) is
  'Sends events to an endpoint again, under their ids: one, a range, or all that failed. Returns how many.';
