/*
 * Changes a token's name, cooldown or defaults; null keeps what is there. An empty reminder subject or message removes the token's: the
 * reminder is then the invitation's again. Accepted batches keep their texts.
 * A null actor: the change is part of another one, which is recorded itself.
 * Raises: P0002 if there is no such token, 23514 for a value out of range (the constraint names the rule).
 */
create or replace function invite.update_trigger_token(
  token_id uuid,
  name text default null,
  cooldown_seconds integer default null,
  default_subject text default null,
  default_message text default null,
  default_reminder_days integer default null,
  default_reminder_subject text default null,
  default_reminder_message text default null,
  actor text default 'cli'
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_token invite.trigger_tokens;
begin
  update invite.trigger_tokens as t
  set
    name = coalesce(update_trigger_token.name, t.name),
    cooldown_seconds = coalesce(update_trigger_token.cooldown_seconds, t.cooldown_seconds),
    default_subject = coalesce(update_trigger_token.default_subject, t.default_subject),
    default_message = coalesce(update_trigger_token.default_message, t.default_message),
    default_reminder_days = coalesce(update_trigger_token.default_reminder_days, t.default_reminder_days),
    default_reminder_subject = nullif(coalesce(update_trigger_token.default_reminder_subject, t.default_reminder_subject), ''),
    default_reminder_message = nullif(coalesce(update_trigger_token.default_reminder_message, t.default_reminder_message), '')
  where t.id = update_trigger_token.token_id and t.deleted_at is null
  returning t.* into v_token;
  if not found then
    raise exception 'there is no trigger token %', update_trigger_token.token_id using errcode = 'P0002';
  end if;
  perform invite.record_audit(
    s.workspace_id, update_trigger_token.actor, 'token_changed', v_token.name,
    jsonb_build_object('survey', s.title, 'hint', v_token.secret_hint, 'changed', array_remove(array[
      case when update_trigger_token.name is not null then 'name' end,
      case when update_trigger_token.cooldown_seconds is not null then 'cooldown' end,
      case when update_trigger_token.default_subject is not null then 'subject' end,
      case when update_trigger_token.default_message is not null then 'message' end,
      case when update_trigger_token.default_reminder_days is not null then 'reminder days' end,
      case when update_trigger_token.default_reminder_subject is not null then 'reminder subject' end,
      case when update_trigger_token.default_reminder_message is not null then 'reminder message' end
    ], null)))
  from invite.surveys as s
  where s.id = v_token.survey_id;
end
$$;
comment on function invite.update_trigger_token(uuid, text, integer, text, text, integer, text, text, text) is
  'Changes a trigger token; null arguments keep what is there.';
