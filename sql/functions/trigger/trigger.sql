/*
 * Does what the endpoint does, in the caller's transaction: the invitations are sent if that transaction commits, and rolled back with it.
 *
 * recipients: [{"email", "name"?, "language"?, "time_zone"?, "metadata"?} or "address", …].
 *
 * The quota is read, but not locked. Requests in transactions that are open at the same time don't see each other, and may together exceed
 * it by the number of people they invite. The cooldown is as exact as over HTTP: a token with a cooldown is locked until the caller's
 * transaction ends, and other requests of that token wait. Without a cooldown nobody waits. With one, a transaction that reads an older
 * snapshot would not see the request that it has waited for, so it is refused.
 *
 * Raises: IT400 or, with {"retry_after_seconds"}, IT429; the constraint is the error code of docs/http-api.md. 23514 if a text or number is
 * out of range or the reminders don't ascend. 25000 trigger_tokens_isolation if the token has a cooldown and the transaction is repeatable
 * read or serializable. Locks: the token (for no key update) if it has a cooldown, or for key share; its survey (for key
 * share).
 */
create or replace function invite.trigger(
  token_id uuid, recipients jsonb, subject text default null, message text default null, metadata jsonb default null,
  reminder_days integer default null, send_in_seconds integer default null, send_at timestamptz default null,
  language text default null, time_zone text default null, reminders smallint[] default null
) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_token invite.trigger_tokens;
  v_request jsonb;
  v_now timestamptz;
  v_test_now timestamptz;
  v_checks invite.trigger_check[];
  v_result invite.trigger_result;
begin
  select t.* into v_token from invite.trigger_tokens as t where t.id = trigger.token_id;
  if v_token.cooldown_seconds > 0 then
    if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
      raise exception 'the transaction does not see other requests of this token (trigger_tokens_isolation)'
        using errcode = '25000', constraint = 'trigger_tokens_isolation', table = 'trigger_tokens', schema = 'invite',
          hint = 'Begin it with: isolation level read committed.';
    end if;
    perform from invite.trigger_tokens as t where t.id = v_token.id for no key update;
  end if;
  v_test_now := (select w.test_now from invite.surveys as s join invite.workspaces as w on w.id = s.workspace_id where s.id = v_token.survey_id);
  v_now := invite.clock(v_test_now);
  if trigger.send_in_seconds is not null and trigger.send_at is not null
    or trigger.send_in_seconds not between 0 and 31536000
    or trigger.send_at not between v_now - interval '5 minutes' and v_now + interval '1 year'
  then
    perform invite.reject_trigger('unsupported_timing');
  elsif jsonb_typeof(trigger.metadata) <> 'object' or octet_length(trigger.metadata::text) > 16384 then
    perform invite.reject_trigger('invalid_field', '{"field": "metadata"}');
  elsif trigger.time_zone is not null and not invite.is_time_zone(trigger.time_zone) then
    perform invite.reject_trigger('invalid_field', '{"field": "time_zone"}');
  elsif trigger.reminder_days is not null and trigger.reminders is not null then
    perform invite.reject_trigger('invalid_field', '{"field": "reminders"}');
  end if;

  v_request := jsonb_build_array(jsonb_strip_nulls(jsonb_build_object(
    'secret_hash', v_token.secret_hash, 'subject', trigger.subject, 'message', trigger.message,
    'reminders', case
      when trigger.reminder_days = 0 then '{}'
      when trigger.reminder_days is not null then array[least(greatest(trigger.reminder_days, -1), 366)]
      else trigger.reminders
    end,
    'language', invite.language_tag(trigger.language), 'time_zone', trigger.time_zone,
    'send_in_seconds', trigger.send_in_seconds, 'send_at', trigger.send_at))
    || jsonb_build_object('recipients', invite.check_recipients(trigger.recipients, test => v_test_now is not null), 'metadata', trigger.metadata));
  v_checks := invite.check_triggers(v_request, array[0], coalesce((select s.recipients_per_hour from invite.settings as s), 10000), v_now);
  v_result := (v_checks[1]).result;
  if v_result.outcome is not null then
    perform invite.reject_trigger(
      v_result.outcome::text, jsonb_strip_nulls(jsonb_build_object('retry_after_seconds', v_result.retry_after_seconds)));
  end if;
  perform invite.wake_publisher();
  return (invite.insert_batches(v_request, v_checks, v_now, false, false))[1].batch_id;
end
$$;
comment on function invite.trigger(uuid, jsonb, text, text, jsonb, integer, integer, timestamptz, text, text, smallint[]) is
  'Invites people by a trigger token in the caller''s own transaction. Returns the batch.';
