/*
 * Can be repeated, in any order. An event that is already recorded changes nothing. An event that comes before its message is settled is
 * kept for match_relay_events.
 *
 * events: [{"event_id", "type"?, "occurred_at", "home"?, "invitation_id"?, "relay_message_id"?, "email"?, "detail"?}]; the caller has checked the
 * relay's signature. home: of the invitation's workspace. It only says in which database that is, where several stand behind one address.
 *
 * The web server's role calls it, so an attacker with that role can invent events. Three things remain possible. The attacker can suppress
 * a known address in a workspace that has tried to email it, with the invitation's id, known or guessed. The attacker can suppress any
 * address in a workspace with the relay's id of an erased message. And the attacker can record events that fit no invitation, which are
 * deleted after a day. Addresses that a workspace hasn't tried to email yet are out of reach, and so are all other workspaces.
 *
 * Locks: as lock_reported; inserts in the order of the keys: events, then suppressions, then invitation_outcomes, as unsubscribe.
 */
create or replace function invite.record_relay_events(relay text, events jsonb) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_events invite.relay_events[] := array(
    select row(
      record_relay_events.relay, e.event_id, e.type, e.occurred_at, invite.clock(),
      invite.find_event_invitation(e.invitation_id, e.relay_message_id, e.email),
      e.invitation_id, e.relay_message_id, e.email, e.detail
    )::invite.relay_events
    from jsonb_to_recordset(record_relay_events.events) as e (
      event_id text, type invite.relay_event_type, occurred_at timestamptz, invitation_id bigint, relay_message_id text, email text, detail text)
    order by e.event_id);
  v_new invite.relay_events[];
begin
  perform invite.lock_reported(
    array(select e.invitation_id from unnest(v_events) as e), array(select e.invitation_id from unnest(v_events) as e where e.type = 'hard_bounce'));

  with recorded as (
    insert into invite.relay_events (
      relay, event_id, type, occurred_at, recorded_at, invitation_id, given_invitation_id, relay_message_id, email, detail)
    select
      e.relay, e.event_id, e.type, e.occurred_at, e.recorded_at,
      -- The invitation may have been deleted meanwhile.
      (select i.id from invite.invitations as i where i.id = e.invitation_id),
      e.given_invitation_id, e.relay_message_id, e.email, e.detail
    from unnest(v_events) as e
    on conflict on constraint relay_events_pkey do nothing
    returning *
  )
  select array_agg(r) into v_new
  from recorded as r;

  perform invite.suppress_recipients(v_new);
  perform invite.record_outcomes(v_new);
  perform invite.erase_relay_events(array(select e.invitation_id from unnest(v_new) as e));
  return coalesce(cardinality(v_new), 0);
end
$$;
comment on function invite.record_relay_events(text, jsonb) is
  'Records each event of a relay once, and suppresses the recipients of hard bounces, complaints and unsubscribes. Returns how many events were new.';
