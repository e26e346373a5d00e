/*
 * For the product, in its own transaction. The cursor moves when that transaction commits, so what the product writes about these events is
 * written exactly once. A new consumer begins with the oldest event that is kept. Events of other types are skipped.
 *
 * Locks: the consumer's row (for no key update): a second reader of the same consumer waits for the first one's transaction.
 */
create or replace function invite.read_events(consumer text, types invite.event_type[] default null, max_events integer default 100)
returns setof invite.event
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_max_events constant integer := greatest(coalesce(read_events.max_events, 100), 1);
  v_after bigint;
  v_published_to bigint;
  v_events invite.event[];
begin
  insert into invite.event_consumers (name) values (read_events.consumer) on conflict on constraint event_consumers_pkey do nothing;
  select c.position into v_after from invite.event_consumers as c where c.name = read_events.consumer for no key update;
  -- Read before the events: an event that is published meanwhile is then returned now or next time, never lost.
  v_published_to := (select p.published_to from invite.event_progress as p);
  v_events := array(
    select e
    from invite.list_events(v_after, v_max_events, null, null, read_events.types) as e
    order by e.position);

  update invite.event_consumers as c
  set
    position = case
      when cardinality(v_events) >= v_max_events then v_events[cardinality(v_events)].position
      else greatest(v_published_to, v_events[cardinality(v_events)].position, v_after)
    end,
    read_at = invite.clock()
  where c.name = read_events.consumer;
  return query select * from unnest(v_events);
end
$$;
comment on function invite.read_events(text, invite.event_type[], integer) is
  'The next events of a consumer, in order, exactly once: its cursor moves in the caller''s transaction. Returns fewer than max_events if there '
  'are no more.';
