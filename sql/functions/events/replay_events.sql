/*
 * Raises: P0002 if there is no such consumer.
 */
create or replace function invite.replay_events(consumer text, since timestamptz default '-infinity') returns bigint
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_published_to bigint := (select p.published_to from invite.event_progress as p);
  v_position bigint;
begin
  v_position := coalesce(
    (select min(e.position) - 1 from invite.events as e where e.published_at >= replay_events.since and not e.is_moved), v_published_to);
  update invite.event_consumers as c set position = v_position where c.name = replay_events.consumer;
  if not found then
    raise exception 'there is no consumer %', replay_events.consumer using errcode = 'P0002';
  end if;
  return v_published_to - v_position;
end
$$;
comment on function invite.replay_events(text, timestamptz) is
  'Moves a consumer''s cursor back or forward to the first event published since a time. Returns how many events follow.';
