/*
 * A step replays at most max_rows deliveries. delivery_id: only this one. since: all events of the endpoint's types published since then,
 * delivered or not; up_to: the last position to replay. Without delivery_id and since, all failed deliveries. Pending deliveries stay as
 * they are. after: pass the next of the previous step; next is null after the last step.
 *
 * Raises: P0002.
 */
create or replace function invite.replay_webhooks(
  endpoint_id uuid, delivery_id bigint default null, since timestamptz default null, after bigint default 0, max_rows integer default 5000,
  up_to bigint default null,
  out replayed integer, out next bigint
)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint invite.webhook_endpoints := invite.require_webhook(replay_webhooks.endpoint_id);
  v_now timestamptz := invite.clock();
  v_step bigint[];
  v_up_to bigint := coalesce(replay_webhooks.up_to, 9223372036854775807);
begin
  if replay_webhooks.delivery_id is not null then
    update invite.webhook_deliveries as d
    set status = 'pending', due_at = v_now, attempts = 0
    where d.id = replay_webhooks.delivery_id and d.endpoint_id = v_endpoint.id and d.status <> 'pending';
  elsif replay_webhooks.since is null then
    v_step := array(
      select d.id
      from invite.webhook_deliveries as d
      where d.endpoint_id = v_endpoint.id and d.status = 'failed' and d.id > replay_webhooks.after
      order by d.id
      limit replay_webhooks.max_rows);
    update invite.webhook_deliveries as d
    set status = 'pending', due_at = v_now, attempts = 0
    where d.id = any (v_step) and d.status = 'failed';
  else
    v_step := array(
      select e.position
      from invite.events as e
      where e.workspace_id = v_endpoint.workspace_id and e.position > replay_webhooks.after and e.position <= v_up_to and e.published_at >= replay_webhooks.since
        and invite.is_endpoint_told(v_endpoint, e.type, e.survey_id, e.response_id)
      order by e.position
      limit replay_webhooks.max_rows);
    insert into invite.webhook_deliveries as d (endpoint_id, event_id, event_position, due_at, created_at)
    select v_endpoint.id, e.id, e.position, v_now, e.published_at
    from invite.events as e
    where e.position = any (v_step) and e.workspace_id = v_endpoint.workspace_id and e.published_at >= replay_webhooks.since
    order by e.position
    on conflict on constraint webhook_deliveries_event_key
    do update set status = 'pending', due_at = v_now, attempts = 0 where d.status <> 'pending';
  end if;
  get diagnostics replay_webhooks.replayed = row_count;
  -- Null unless the step is full.
  replay_webhooks.next := v_step[replay_webhooks.max_rows];
  perform invite.wake_webhooks();
end
$$;
comment on function invite.replay_webhooks(uuid, bigint, timestamptz, bigint, integer, bigint) is
  'Sends events to an endpoint again, with the same ids: one, a range, or all that failed. Returns how many, and where the next step continues.';
