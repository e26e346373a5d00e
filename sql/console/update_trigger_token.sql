/*
 * invite.update_trigger_token on behalf of an editor, with all fields of the form. A field that equals the stored value is no change, so
 * that the audit log names what did change; if nothing did, there is no entry. An empty reminder subject or message: the invitation's.
 *
 * Locks: the token's row, so that what is compared is what is changed.
 * Raises: P0002, IT403 (require_survey_token), 23514 for a value out of range (the constraint names the rule).
 */
create function console.update_trigger_token(session_hash bytea, survey_id text, token_id uuid, settings jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_survey_token(
    update_trigger_token.session_hash, update_trigger_token.survey_id, update_trigger_token.token_id);
  v_old invite.trigger_tokens;
  v_new record;
begin
  select t.* into v_old from invite.trigger_tokens as t where t.id = update_trigger_token.token_id for no key update;
  select
    nullif(n.name, v_old.name) as name,
    nullif(n.cooldown_seconds, v_old.cooldown_seconds) as cooldown_seconds,
    nullif(n.default_subject, v_old.default_subject) as default_subject,
    nullif(n.default_message, v_old.default_message) as default_message,
    nullif(n.default_reminder_days, v_old.default_reminder_days) as default_reminder_days,
    nullif(n.default_reminder_subject, coalesce(v_old.default_reminder_subject, '')) as default_reminder_subject,
    nullif(n.default_reminder_message, coalesce(v_old.default_reminder_message, '')) as default_reminder_message
  into v_new
  from jsonb_to_record(update_trigger_token.settings) as n (
    name text, cooldown_seconds integer, default_subject text, default_message text, default_reminder_days integer,
    default_reminder_subject text, default_reminder_message text);
  if num_nonnulls(
    v_new.name, v_new.cooldown_seconds, v_new.default_subject, v_new.default_message, v_new.default_reminder_days,
    v_new.default_reminder_subject, v_new.default_reminder_message) > 0
  then
    perform invite.update_trigger_token(
      update_trigger_token.token_id, v_new.name, v_new.cooldown_seconds, v_new.default_subject, v_new.default_message,
      v_new.default_reminder_days, v_new.default_reminder_subject, v_new.default_reminder_message, v_member.email);
  end if;
end
$$;
comment on function console.update_trigger_token(bytea, text, uuid, jsonb) is
  'Changes a trigger token on behalf of an editor; a field that equals the stored value is no change.';
