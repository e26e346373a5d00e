/*
 * A job calls this every minute; settle_invitations doesn't. For an event and its settle may commit at the same moment, and each would miss
 * the other. An event that fits no invitation for a day belongs to other email of the same relay account. It is looked up every minute for
 * ten minutes, then once an hour.
 *
 * Locks: the events (for update, skip locked), then as lock_reported.
 */
create or replace function invite.match_relay_events(at timestamptz default null) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := invite.clock(match_relay_events.at);
  v_found jsonb;
  v_matched invite.relay_events[];
begin
  delete from invite.relay_events as e
  where e.invitation_id is null and e.recorded_at < v_now - interval '1 day';

  with event as (
    select e.relay, e.event_id, e.type, invite.find_event_invitation(e.given_invitation_id, e.relay_message_id, e.email) as invitation_id
    from invite.relay_events as e
    where e.invitation_id is null and e.type is not null
      and (
        e.recorded_at > v_now - interval '10 minutes'
        or extract(minute from e.recorded_at at time zone 'UTC') = extract(minute from v_now at time zone 'UTC')
      )
    -- Newest first, because old events most likely fit no invitation here.
    order by e.recorded_at desc
    limit 5000
    for update skip locked
  )
  select coalesce(jsonb_agg(e), '[]') into v_found
  from event as e
  where e.invitation_id is not null;

  perform invite.lock_reported(
    array(select (f.event ->> 'invitation_id')::bigint from jsonb_array_elements(v_found) as f (event)),
    array(select (f.event ->> 'invitation_id')::bigint from jsonb_array_elements(v_found) as f (event) where f.event ->> 'type' = 'hard_bounce'));

  with matched as (
    update invite.relay_events as e
    set invitation_id = f.invitation_id
    from jsonb_to_recordset(v_found) as f (relay text, event_id text, invitation_id bigint)
    -- The invitation may have been deleted meanwhile.
    join invite.invitations as i on i.id = f.invitation_id
    where e.relay = f.relay and e.event_id = f.event_id
    returning e.*
  )
  select array_agg(m::invite.relay_events) into v_matched
  from matched as m;

  perform invite.suppress_recipients(v_matched);
  perform invite.record_outcomes(v_matched);
  perform invite.erase_relay_events(array(select e.invitation_id from unnest(v_matched) as e));
  return coalesce(cardinality(v_matched), 0);
end
$$;
comment on function invite.match_relay_events(timestamptz) is
  'Attributes relay events that came before their message was settled, and deletes events that fit no invitation for a day. Returns how many '
  'were matched.';
