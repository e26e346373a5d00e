/*
 * A workspace brings its events with their positions, so that its cursors stay valid. So what is published here afterwards needs higher ones. A consumer that has
 * read all goes along, or it would seem to have missed the positions between.
 *
 * Locks: the progress of publishing; consumers (skip locked).
 */
create or replace function invite.reach_position(reached bigint) returns void
language plpgsql volatile
as $$
declare
  v_before bigint;
begin
  perform from invite.queue_progress as p where p.queue = 'new_events' for update;
  select p.published_to into v_before from invite.event_progress as p;
  if v_before >= reach_position.reached then
    return;
  end if;
  update invite.event_progress as p set published_to = reach_position.reached;
  update invite.event_consumers as c set position = reach_position.reached
  where c.name in (select x.name from invite.event_consumers as x where x.position = v_before for update skip locked);
end
$$;
comment on function invite.reach_position(bigint) is 'Events that are published from here on have higher positions.';
