/*
 * The answer to a request whose idempotency key its token has used in the last 24 hours: the batch of then, with the status that was
 * answered then; idempotency_key_reused if the payload is another. A row of nulls if the key is new.
 *
 * It comes before every refusal but unknown_token. A client repeats a request because it has not seen the answer: the batch is queued
 * whatever has happened to the cooldown, the plan or the workspace since, and a refusal would say that it is not.
 *
 * Called by: accept_trigger, twice, as check_trigger. Takes no lock.
 */
create or replace function invite.find_replay(
  trigger_token_id uuid, idempotency_key text, payload_hash bytea, at timestamptz
) returns invite.trigger_answer
language sql stable
as $$
  select case
    when k.payload_hash = find_replay.payload_hash then
      row(
        'accepted', null, b.id, b.scheduled_at, case when b.scheduled_at > b.accepted_at then 'scheduled' else 'queued' end, true
      )::invite.trigger_answer
    else row('idempotency_key_reused', null, null, null, null, null)::invite.trigger_answer
  end
  from invite.idempotency_keys as k
  join invite.batches as b on b.id = k.batch_id
  where k.trigger_token_id = find_replay.trigger_token_id
    and k.key = find_replay.idempotency_key
    and k.created_at > find_replay.at - interval '24 hours';
$$;
comment on function invite.find_replay(uuid, text, bytea, timestamptz) is
  'The earlier answer to a request with this idempotency key; a row of nulls if there is none.';
