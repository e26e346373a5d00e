/*
 * Only what is committed is seen here, so that a position is given after the commit, and a lower one never appears after a higher one. For one
 * invitation positions are in the order of what happened: its row's lock makes its transactions follow each other.
 *
 * Who has called it calls it again, or rest_publisher. While a snapshot is held, moved rows stay in new_events, so it reads from read_from on. A transaction
 * that has a lower number, and has not committed, holds a lock of the table: once those that held one when the numbers stood at open_to have ended,
 * nothing up to there can appear any more. Other databases do not matter, as they would for a transaction horizon.
 *
 * What belongs to a deleted survey, or to a workspace that records no events any more, is dropped.
 *
 * Locks: the row of event_progress (for update, skip locked: one caller publishes at a time, and none waits). Pins: lookup plan,
 * but what was looked up may be hash joined; offset 0 fence.
 */
create or replace function invite.publish_events(max_rows integer default 2000, at timestamptz default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := coalesce(publish_events.at, clock_timestamp());
  v_progress invite.event_progress;
  v_reached bigint;
  v_read_from bigint;
  v_taken integer;
  v_last bigint;
  v_published integer;
  v_delivered integer;
begin
  -- Before the lock, which would write.
  if not exists (select from invite.new_events as n where n.id >= (select p.read_from from invite.event_progress as p)) then
    return 0;
  end if;
  perform setval('invite.publisher_awake', 1) from invite.publisher_awake as p where p.last_value = 0;
  select p.* into v_progress from invite.event_progress as p for update skip locked;
  if not found then
    return 0;
  end if;

  -- Before the rows are read: what ends meanwhile is then seen.
  if v_progress.open_to is null then
    v_progress.open_to := (select s.last_value from invite.new_events_id_seq as s);
    v_progress.open_transactions := array(select w.* from invite.open_writers('invite.new_events') as w);
  elsif not exists (select from invite.open_writers('invite.new_events') as w (id) where w.id = any (v_progress.open_transactions)) then
    v_reached := v_progress.open_to;
  end if;
  perform invite.prepare_event_partition(v_now);

  with taken as (
    delete from invite.new_events as n
    where n.id = any (array(
      select x.id from invite.new_events as x where x.id >= v_progress.read_from order by x.id limit publish_events.max_rows))
    returning *
  ),
  -- Looked up for each survey, not for each event.
  scopes as materialized (
    select d.survey_id, s.workspace_id
    from (select distinct t.survey_id from taken as t) as d
    cross join lateral (select s.workspace_id from invite.surveys as s where s.id = d.survey_id offset 0) as s
    cross join lateral (select from invite.workspaces as w where w.id = s.workspace_id and w.records_events offset 0) as w
  ),
  endpoints as materialized (
    select w.id, w.workspace_id, w.types
    from (select distinct s.workspace_id from scopes as s) as s
    cross join lateral (select e.* from invite.webhook_endpoints as e where e.workspace_id = s.workspace_id and e.disabled_at is null offset 0) as w
  ),
  published as (
    insert into invite.events (
      position, published_at, workspace_id, trigger_token_id, type, at, survey_id, batch_id, invitation_id, response_id, message_kind, code)
    select
      v_progress.published_to + row_number() over (order by t.id), v_now, s.workspace_id,
      (select b.trigger_token_id from invite.batches as b where b.id = t.batch_id), t.type, t.at, t.survey_id, t.batch_id, t.invitation_id,
      t.response_id, t.message_kind, t.code
    from taken as t
    join scopes as s on s.survey_id = t.survey_id
    returning position, id, workspace_id, type
  ),
  delivered as (
    insert into invite.webhook_deliveries (endpoint_id, event_id, event_position, due_at, created_at)
    select w.id, p.id, p.position, v_now, v_now
    from published as p
    join endpoints as w on w.workspace_id = p.workspace_id
    where w.types is null or p.type = any (w.types)
    returning id
  )
  select (select count(*) from taken), (select max(t.id) from taken as t), (select count(*) from published), (select count(*) from delivered)
  into v_taken, v_last, v_published, v_delivered;
  if v_delivered > 0 then
    perform invite.wake_webhooks();
  end if;

  if v_reached is not null then
    -- A full step has left rows.
    v_read_from := 1 + least(v_reached, case when v_taken = publish_events.max_rows then v_last end);
  end if;
  update invite.event_progress as p
  set
    published_to = p.published_to + v_published,
    read_from = coalesce(v_read_from, p.read_from),
    open_to = case when v_read_from is null then v_progress.open_to end,
    open_transactions = case when v_read_from is null then v_progress.open_transactions end
  where p.one_row;
  return v_taken;
end
$$;
comment on function invite.publish_events(integer, timestamptz) is
  'One bounded step of giving positions to committed events, which readers see from then on. Returns how many it took.';
