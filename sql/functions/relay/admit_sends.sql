/*
 * rate: messages a second over all workers; null: no limit. It is a token bucket that holds one second's worth: with a rate of 10, at most
 * 10 messages are admitted at once.
 * After a fault one message is sent alone as a probe, and the relay is paused for all others for a minute, so that only one message tries a
 * wrong key. If choose_probe takes none of invitation_ids, the messages that may leave (null: any), the relay stays free for a probe from
 * another claim.
 *
 * Locks: the relay's row (for no key update), only if it is not healthy or has a rate.
 */
create or replace function invite.admit_sends(
  relay text, wanted integer, rate numeric default null, at timestamptz default null, invitation_ids bigint[] default null
) returns invite.admission
language plpgsql volatile
as $$
declare
  v_now timestamptz := invite.clock(admit_sends.at);
  v_relay invite.relays;
  v_allowance numeric;
  v_allowed integer := admit_sends.wanted;
  v_probe_id bigint;
begin
  select * into v_relay from invite.relays as r where r.id = admit_sends.relay;
  if admit_sends.rate is null and coalesce(v_relay.condition, 'healthy') = 'healthy' then
    return row(v_allowed, null)::invite.admission;
  end if;

  if v_relay.id is null then
    insert into invite.relays (id, allowance, allowance_at) values (admit_sends.relay, admit_sends.rate, v_now)
    on conflict on constraint relays_pkey do nothing;
  end if;
  select * into v_relay from invite.relays as r where r.id = admit_sends.relay for no key update;
  v_now := invite.clock(admit_sends.at);

  if v_relay.paused_until > v_now then
    return row(0, null)::invite.admission;
  elsif v_relay.condition = 'fault' then
    v_probe_id := invite.choose_probe(v_relay, admit_sends.invitation_ids, v_now);
    if admit_sends.invitation_ids is not null and v_probe_id is null then
      return row(0, null)::invite.admission;
    end if;
    v_allowed := least(v_allowed, 1);
    update invite.relays as r set paused_until = v_now + interval '1 minute', probing = true where r.id = v_relay.id;
  end if;
  if admit_sends.rate is null then
    return row(v_allowed, v_probe_id)::invite.admission;
  end if;

  v_allowance := least(
    greatest(admit_sends.rate, 1),
    v_relay.allowance + admit_sends.rate * extract(epoch from greatest(v_now - v_relay.allowance_at, interval '0')));
  v_allowed := least(v_allowed, floor(v_allowance)::integer);
  if v_allowed > 0 then
    update invite.relays as r set allowance = v_allowance - v_allowed, allowance_at = v_now where r.id = v_relay.id;
  end if;
  return row(v_allowed, v_probe_id)::invite.admission;
end
$$;
comment on function invite.admit_sends(text, integer, numeric, timestamptz, bigint[]) is
  'How many messages may be sent to the relay now, given its condition and rate (messages a second).';
