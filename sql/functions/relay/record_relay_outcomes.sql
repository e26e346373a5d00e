/*
 * What a flush of results says about the relay itself:
 *   a message was taken                     -> healthy again
 *   config                                  -> fault: paused for 30 seconds, doubled with each fault up to 15 minutes
 *   five messages in a row rejected for
 *   what they are (not for their recipient) -> fault: a template or a setting is wrong, and would cost the whole list
 *   retry with retry_after_seconds          -> busy until then, for all workers
 * In this order of weight: one taken message outweighs the rest. The usual flush, all taken by a healthy relay, writes nothing.
 *
 * Locks: the relay's row (for no key update), after the invitations.
 */
create or replace function invite.record_relay_outcomes(relay text, results jsonb, at timestamptz) returns void
language plpgsql volatile
as $$
declare
  v_accepted boolean;
  v_config jsonb;
  v_busy jsonb;
  v_rejected jsonb;
  v_rejections integer;
  v_relay invite.relays;
  v_new_fault boolean;
begin
  select
    coalesce(bool_or(r ->> 'outcome' = 'accepted'), false),
    (array_agg(r) filter (where r ->> 'outcome' = 'config'))[1],
    (array_agg(r order by (r ->> 'retry_after_seconds')::integer desc)
      filter (where r ->> 'outcome' = 'retry' and (r ->> 'retry_after_seconds')::integer > 0))[1],
    (array_agg(r) filter (where r ->> 'outcome' = 'rejected' and r ->> 'code' is distinct from 'invalid_recipient'))[1],
    count(*) filter (where r ->> 'outcome' = 'rejected' and r ->> 'code' is distinct from 'invalid_recipient')
  into v_accepted, v_config, v_busy, v_rejected, v_rejections
  from jsonb_array_elements(record_relay_outcomes.results) as r;

  if v_accepted then
    update invite.relays as r
    set condition = 'healthy', since = record_relay_outcomes.at, paused_until = null, code = null, detail = null,
      probing = false,
      faults = 0, rejected_in_a_row = 0
    where r.id = record_relay_outcomes.relay and (r.condition <> 'healthy' or r.rejected_in_a_row > 0);
    return;
  elsif coalesce(v_config, v_busy, v_rejected) is null then
    return;
  end if;

  insert into invite.relays (id) values (record_relay_outcomes.relay) on conflict on constraint relays_pkey do nothing;
  select * into v_relay from invite.relays as r where r.id = record_relay_outcomes.relay for no key update;
  if v_config is null and v_relay.rejected_in_a_row + v_rejections >= 5 then
    v_config := v_rejected;
  end if;
  -- What was on its way when the fault was found says nothing new: it must not double the pause.
  v_new_fault := v_config is not null and (v_relay.condition <> 'fault' or v_relay.probing);

  update invite.relays as r
  set
    condition = case when v_config is not null then 'fault' when v_busy is not null and r.condition = 'healthy' then 'busy'
      else r.condition end::invite.relay_condition,
    since = case when r.condition = 'healthy' and coalesce(v_config, v_busy) is not null then record_relay_outcomes.at else r.since end,
    paused_until = case
      when v_new_fault then
        record_relay_outcomes.at + least(interval '15 minutes', interval '30 seconds' * 2 ^ least(r.faults, 10))
      when v_busy is not null then greatest(r.paused_until, record_relay_outcomes.at
        + least((v_busy ->> 'retry_after_seconds')::integer, 86400) * interval '1 second')
      else r.paused_until
    end,
    code = coalesce(v_config ->> 'code', v_busy ->> 'code', r.code),
    detail = coalesce(v_config ->> 'detail', v_busy ->> 'detail', r.detail),
    probing = r.probing and not v_new_fault,
    faults = r.faults + v_new_fault::integer,
    rejected_in_a_row = r.rejected_in_a_row + v_rejections
  where r.id = v_relay.id;
end
$$;
comment on function invite.record_relay_outcomes(text, jsonb, timestamptz) is
  'Derives the relay''s condition from a flush of results and pauses it for all workers if need be.';
