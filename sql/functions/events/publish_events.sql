/*
 * It sees only committed events. So a position is given after the commit, and a lower position never appears after a higher one. The
 * positions of one invitation are in the order in which its events happened, because the lock of its row makes its transactions run one
 * after the other.
 *
 * After a call, the caller calls it again, or rest_publisher. Events of a deleted survey are dropped, and those of a workspace that no
 * longer records events.
 *
 * Locks: as begin_step. Pins: lookup plan, but what was looked up may be hash joined; offset 0 fence.
 */
create or replace function invite.publish_events(max_rows integer default 2000, at timestamptz default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(publish_events.at);
  v_read_from bigint;
  v_reached bigint;
  v_published_to bigint;
  v_taken integer;
  v_last bigint;
  v_published integer;
  v_delivered integer;
begin
  -- Checked before the lock is taken, because taking it writes.
  if not exists (select from invite.new_events as n where n.id >= (select p.read_from from invite.queue_progress as p where p.queue = 'new_events')) then
    return 0;
  end if;
  perform setval('invite.publisher_awake', 1) from invite.publisher_awake as p where p.last_value = 0;
  select s.* into v_read_from, v_reached from invite.begin_step('new_events') as s;
  if v_read_from is null then
    return 0;
  end if;
  v_published_to := invite.published_to();
  perform invite.prepare_event_partition(v_now);

  with taken as (
    delete from invite.new_events as n
    where n.id = any (array(
      select x.id from invite.new_events as x where x.id >= v_read_from order by x.id limit publish_events.max_rows))
    returning *
  ),
  -- One lookup for each survey, not for each event.
  scopes as materialized (
    select d.survey_id, s.workspace_id
    from (select distinct t.survey_id from taken as t) as d
    cross join lateral (select s.workspace_id from invite.surveys as s where s.id = d.survey_id offset 0) as s
    cross join lateral (select from invite.workspaces as w where w.id = s.workspace_id and w.records_events offset 0) as w
    -- What a relay reports about an old copy is told where the workspace is.
    where not exists (select from invite.moved_workspaces as x where x.workspace_id = s.workspace_id)
  ),
  endpoints as materialized (
    select w.endpoint, (w.endpoint).id, (w.endpoint).workspace_id
    from (select distinct s.workspace_id from scopes as s) as s
    cross join lateral (select e as endpoint from invite.webhook_endpoints as e where e.workspace_id = s.workspace_id and e.disabled_at is null offset 0) as w
  ),
  published as (
    insert into invite.events (
      position, published_at, workspace_id, type, at, survey_id, batch_id, invitation_id, response_id, message_kind, code)
    select
      v_published_to + row_number() over (order by t.id), v_now, s.workspace_id, t.type, t.at, t.survey_id, t.batch_id,
      t.invitation_id, t.response_id, t.message_kind, t.code
    from taken as t
    join scopes as s on s.survey_id = t.survey_id
    returning position, id, workspace_id, type, survey_id, response_id
  ),
  delivered as (
    insert into invite.webhook_deliveries (endpoint_id, event_id, event_position, due_at, created_at)
    select w.id, p.id, p.position, v_now, v_now
    from published as p
    join endpoints as w on w.workspace_id = p.workspace_id
    where invite.is_endpoint_told(w.endpoint, p.type, p.survey_id, p.response_id)
    returning id
  )
  select (select count(*) from taken), (select max(t.id) from taken as t), (select count(*) from published), (select count(*) from delivered)
  into v_taken, v_last, v_published, v_delivered;
  if v_delivered > 0 then
    perform invite.wake_webhooks();
  end if;

  update invite.event_progress as p set published_to = v_published_to + v_published where p.one_row and v_published > 0;
  -- Nothing else deletes from new_events, so a full step has taken the first max_rows rows.
  perform invite.end_step('new_events', v_reached, case when v_taken = publish_events.max_rows then v_last end);
  return v_taken;
end
$$;
comment on function invite.publish_events(integer, timestamptz) is
  'One bounded step of giving positions to committed events, which readers see from then on. Returns how many it took.';
