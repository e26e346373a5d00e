/*
 * What a flush of results says about the relay:
 *   a message was accepted                  -> healthy again
 *   config                                  -> fault: paused for 30 seconds, doubled with each fault up to 15 minutes
 *   five messages in a row, of three
 *   workspaces, rejected for their content  -> fault: a template or a setting is wrong, and would fail every list
 *   retry with retry_after_seconds          -> busy until then, for all workers
 * The first line that applies decides. Nothing is written when a healthy relay accepts everything, or when workspaces that are already in
 * rejected_workspaces have more rejections.
 *
 * rejected_workspaces: the workspace of each rejected message.
 *
 * If the condition has changed, returns {"relay", "from", "condition", "since", "code", "detail", "paused_until"}, which the caller logs.
 * since: when the previous condition began.
 *
 * Locks: the relay's row (for no key update), after the invitations and batches.
 */
create or replace function invite.record_relay_outcomes(
  relay text, results jsonb, at timestamptz, rejected_workspaces text[] default '{}'
) returns jsonb
language plpgsql volatile
as $$
declare
  v_config jsonb;
  v_busy jsonb;
  v_relay invite.relays;
  v_workspaces text[];
  v_new_fault boolean;
  v_condition invite.relay_condition;
begin
  if record_relay_outcomes.results @> '[{"outcome": "accepted"}]' then
    select * into v_relay
    from invite.relays as r
    where r.id = record_relay_outcomes.relay and (r.condition <> 'healthy' or r.rejected_in_a_row > 0)
    for no key update;
    if not found then
      return null;
    end if;
    update invite.relays as r
    set condition = 'healthy', since = record_relay_outcomes.at, paused_until = null, code = null, detail = null,
      probing = false,
      faults = 0, rejected_in_a_row = 0, rejected_workspaces = '{}'
    where r.id = v_relay.id;
    return case when v_relay.condition <> 'healthy' then
      jsonb_build_object('relay', v_relay.id, 'from', v_relay.condition, 'condition', 'healthy', 'since', v_relay.since)
    end;
  end if;
  select
    (array_agg(r) filter (where r ->> 'outcome' = 'config'))[1],
    (array_agg(r order by (r ->> 'retry_after_seconds')::integer desc)
      filter (where r ->> 'outcome' = 'retry' and (r ->> 'retry_after_seconds')::integer > 0))[1]
  into v_config, v_busy
  from jsonb_array_elements(record_relay_outcomes.results) as r;
  if coalesce(v_config, v_busy) is null and coalesce(cardinality(record_relay_outcomes.rejected_workspaces), 0) = 0 then
    return null;
  end if;

  insert into invite.relays (id) values (record_relay_outcomes.relay) on conflict on constraint relays_pkey do nothing;
  select * into v_relay from invite.relays as r where r.id = record_relay_outcomes.relay for no key update;
  v_relay.rejected_in_a_row := v_relay.rejected_in_a_row + cardinality(record_relay_outcomes.rejected_workspaces);
  v_workspaces := array(
    select w.id
    from unnest(v_relay.rejected_workspaces || record_relay_outcomes.rejected_workspaces) with ordinality as w (id, place)
    group by w.id
    order by max(w.place) desc
    limit 3
  );
  v_workspaces := array(select w.id from unnest(v_workspaces) with ordinality as w (id, place) order by w.place desc);
  if v_config is null and v_relay.rejected_in_a_row >= 5 and cardinality(v_workspaces) >= 3
    and cardinality(record_relay_outcomes.rejected_workspaces) > 0
  then
    v_config := (
      select r
      from jsonb_array_elements(record_relay_outcomes.results) as r
      where invite.is_content_rejection(r ->> 'outcome', r ->> 'code')
      limit 1
    );
  end if;
  if coalesce(v_config, v_busy) is null and v_relay.rejected_in_a_row > 5 and v_workspaces = v_relay.rejected_workspaces then
    return null;
  end if;
  -- Messages that were already being sent when the fault was found must not double the pause.
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
    rejected_in_a_row = v_relay.rejected_in_a_row,
    rejected_workspaces = v_workspaces
  where r.id = v_relay.id
  returning r.condition, r.code, r.detail, r.paused_until into v_condition, v_relay.code, v_relay.detail, v_relay.paused_until;
  return case when v_condition <> v_relay.condition then
    jsonb_build_object(
      'relay', v_relay.id, 'from', v_relay.condition, 'condition', v_condition, 'since', v_relay.since, 'code', v_relay.code, 'detail', v_relay.detail,
      'paused_until', v_relay.paused_until)
  end;
end
$$;
comment on function invite.record_relay_outcomes(text, jsonb, timestamptz, text[]) is
  'Derives the relay''s condition from a flush of results, and pauses the relay for all workers if needed. Returns the change; null: there is none.';
