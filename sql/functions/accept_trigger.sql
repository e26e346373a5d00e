/*
 * A trigger request: refused, or accepted as one batch with its invitations and their jobs. One call is one transaction.
 *
 * Refusals are returned, never raised; their order is check_trigger's, then flood_protection. A refused request changes nothing.
 * With an idempotency key that the token has used before, the answer is the earlier batch (find_replay), and nothing changes either.
 * Before the lock, the replay is looked for after the check: a request that commits between the two is then found, not met by its cooldown.
 * The caller has checked the payload: recipients are folded, [{"email", "name"?, "metadata"?}], at least one.
 *
 * Called by: the HTTP process. Locks, in order: the token's row (for no key update), the workspace's volume (advisory).
 * The clock is read after the token's lock: a caller that waited for it has a now() from before it waited.
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
) returns invite.trigger_answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := coalesce(accept_trigger.at, clock_timestamp());
  v_check invite.trigger_check := invite.check_trigger(accept_trigger.secret_hash, v_now);
  v_replay invite.trigger_answer;
  v_due timestamptz;
  v_batch_id uuid;
  v_wakes invite.wake[];
begin
  v_replay := case when accept_trigger.idempotency_key is not null then
    invite.find_replay(v_check.token_id, accept_trigger.idempotency_key, accept_trigger.payload_hash, v_now)
  end;
  if v_replay.outcome is not null then
    return v_replay;
  elsif v_check.outcome <> 'accepted' then
    return row(v_check.outcome, v_check.retry_after_seconds, null, null, null, null)::invite.trigger_answer;
  end if;

  perform from invite.trigger_tokens as t where t.id = v_check.token_id for no key update;
  v_now := coalesce(accept_trigger.at, clock_timestamp());
  v_check := invite.check_trigger(accept_trigger.secret_hash, v_now);
  v_replay := case when accept_trigger.idempotency_key is not null then
    invite.find_replay(v_check.token_id, accept_trigger.idempotency_key, accept_trigger.payload_hash, v_now)
  end;
  if v_replay.outcome is not null then
    return v_replay;
  end if;
  if v_check.outcome = 'accepted' then
    v_check.retry_after_seconds := invite.take_volume(
      v_check.workspace_id, jsonb_array_length(accept_trigger.recipients), accept_trigger.recipients_per_hour, v_now);
    if v_check.retry_after_seconds is not null then
      v_check.outcome := 'flood_protection';
    end if;
  end if;
  if v_check.outcome <> 'accepted' then
    return row(v_check.outcome, v_check.retry_after_seconds, null, null, null, null)::invite.trigger_answer;
  end if;

  v_due := coalesce(accept_trigger.send_at, v_now + coalesce(accept_trigger.send_in_seconds, 0) * interval '1 second');

  update invite.trigger_tokens as t set last_accepted_at = v_now where t.id = v_check.token_id;

  insert into invite.batches (
    id, workspace_id, survey_id, trigger_token_id, subject, message, reminder_days, reminder_subject, reminder_message,
    metadata, recipients, scheduled_at, accepted_at
  )
  select
    invite.uuidv7(v_now), v_check.workspace_id, v_check.survey_id, t.id,
    coalesce(accept_trigger.subject, t.default_subject),
    coalesce(accept_trigger.message, t.default_message),
    coalesce(accept_trigger.reminder_days, t.default_reminder_days), t.default_reminder_subject, t.default_reminder_message,
    accept_trigger.metadata, jsonb_array_length(accept_trigger.recipients), v_due, v_now
  from invite.trigger_tokens as t
  where t.id = v_check.token_id
  returning id into v_batch_id;

  -- What is replaced has expired.
  insert into invite.idempotency_keys as k (trigger_token_id, key, payload_hash, batch_id, created_at)
  select v_check.token_id, accept_trigger.idempotency_key, accept_trigger.payload_hash, v_batch_id, v_now
  where accept_trigger.idempotency_key is not null
  on conflict on constraint idempotency_keys_pkey
  do update set payload_hash = excluded.payload_hash, batch_id = excluded.batch_id, created_at = excluded.created_at;

  with inserted as (
    insert into invite.invitations (batch_id, survey_id, email, name, metadata, due_at, sweep_at)
    select v_batch_id, v_check.survey_id, r.email, r.name, r.metadata, v_due, v_due + interval '1 hour'
    from jsonb_to_recordset(accept_trigger.recipients) as r (email text, name text, metadata jsonb)
    returning id
  )
  select array_agg(row(v_check.survey_id, i.id, v_due)::invite.wake) into v_wakes
  from inserted as i;
  perform invite.queue_sends(v_wakes);

  return row(
    'accepted', null, v_batch_id, v_due, case when v_due > v_now then 'scheduled' else 'queued' end, false
  )::invite.trigger_answer;
end
$$;
comment on function invite.accept_trigger(
  bytea, jsonb, text, text, integer, jsonb, integer, timestamptz, integer, text, bytea, timestamptz
) is 'Accepts or refuses one trigger request. See its source for the order of refusals and the locks.';
