/*
 * One trigger request, for callers in SQL: accept_triggers with one, which waits for the token if somebody else has locked it.
 */
create or replace function invite.accept_trigger(
  secret_hash bytea,
  recipients jsonb,
  subject text default null,
  message text default null,
  reminder_days integer default null,
  metadata jsonb default null,
  send_in_seconds integer default null,
  send_at timestamptz default null,
  recipients_per_hour integer default 10000,
  idempotency_key text default null,
  payload_hash bytea default null,
  at timestamptz default null
) returns invite.trigger_result
language plpgsql volatile
as $$
declare
  v_result invite.trigger_result;
begin
  -- Once more if the cooldown ended, or somebody else took the token, between two looks of it.
  loop
    select a.* into v_result
    from invite.accept_triggers(
      jsonb_build_array(jsonb_build_object(
        'secret_hash', accept_trigger.secret_hash, 'recipients', accept_trigger.recipients, 'subject', accept_trigger.subject,
        'message', accept_trigger.message, 'reminder_days', accept_trigger.reminder_days, 'metadata', accept_trigger.metadata,
        'send_in_seconds', accept_trigger.send_in_seconds, 'send_at', accept_trigger.send_at,
        'idempotency_key', accept_trigger.idempotency_key, 'payload_hash', accept_trigger.payload_hash)),
      accept_trigger.recipients_per_hour, true, accept_trigger.at) as a;
    exit when found;
  end loop;
  return v_result;
end
$$;
comment on function invite.accept_trigger(
  bytea, jsonb, text, text, integer, jsonb, integer, timestamptz, integer, text, bytea, timestamptz
) is 'Accepts or refuses one trigger request. See accept_triggers.';
