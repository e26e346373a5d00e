/*
 * Repeatable, in any order: a recorded event changes nothing; one that comes before its message is settled is kept for
 * match_relay_events.
 *
 * events: [{"event_id", "type"?, "occurred_at", "invitation_id"?, "relay_message_id"?, "email"?, "detail"?}]; the caller has checked
 * the relay's signature.
 *
 * The web server's role calls it, so an attacker with that role can make up events. What remains possible: to suppress an address that
 * is known to it, in a workspace that has tried to email it, if it also knows or guesses the invitation's id; to suppress any address in a
 * workspace by the relay's id of an erased message; and to record events that fit nothing, which are dropped after a day. An address that a
 * workspace has not tried to email yet is out of reach, and so are all other workspaces.
 *
 * Locks: the invitations, by id (for key share, which the foreign key would take in the order of the events); inserts in the order of
 * the keys: events, then invitation_outcomes, then suppressions; before these as record_outcomes.
 */
create or replace function invite.record_relay_events(relay text, events jsonb) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_events invite.relay_events[] := array(
    select row(
      record_relay_events.relay, e.event_id, e.type, e.occurred_at, clock_timestamp(),
      invite.find_event_invitation(e.invitation_id, e.relay_message_id, e.email),
      e.invitation_id, e.relay_message_id, e.email, e.detail
    )::invite.relay_events
    from jsonb_to_recordset(record_relay_events.events) as e (
      event_id text, type invite.relay_event_type, occurred_at timestamptz, invitation_id bigint, relay_message_id text, email text, detail text)
    order by e.event_id);
  v_new invite.relay_events[];
begin
  perform from invite.invitations as i
  where i.id = any (array(select e.invitation_id from unnest(v_events) as e))
  order by i.id
  for key share;

  with recorded as (
    insert into invite.relay_events (
      relay, event_id, type, occurred_at, recorded_at, invitation_id, given_invitation_id, relay_message_id, email, detail)
    select
      e.relay, e.event_id, e.type, e.occurred_at, e.recorded_at,
      -- It may have been deleted meanwhile.
      (select i.id from invite.invitations as i where i.id = e.invitation_id),
      e.given_invitation_id, e.relay_message_id, e.email, e.detail
    from unnest(v_events) as e
    on conflict on constraint relay_events_pkey do nothing
    returning *
  )
  select array_agg(r) into v_new
  from recorded as r;

  perform invite.record_outcomes(v_new);
  perform invite.suppress_recipients(v_new);
  perform invite.erase_relay_events(array(select e.invitation_id from unnest(v_new) as e));
  return coalesce(cardinality(v_new), 0);
end
$$;
comment on function invite.record_relay_events(text, jsonb) is
  'Records a relay''s events once each and suppresses hard bounced, complaining and unsubscribed recipients. Returns how many were new.';
