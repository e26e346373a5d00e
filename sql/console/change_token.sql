/*
 * update_trigger_token on behalf of an editor, with all fields of the form: what is as it was is not changed, so that the audit log
 * names what was; and where nothing was, there is no entry. An empty reminder subject or message: the invitation's.
 *
 * Called by: the HTTP process. Locks: the token's row, so that what it is compared with is what is changed.
 * Raises: P0002, 42501 (require_survey_token), 23514 for a value out of range (the constraint names the rule).
 */
create or replace function invite.change_token(session_hash bytea, survey_id text, token_id uuid, settings jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_actor text := invite.require_survey_token(change_token.session_hash, change_token.survey_id, change_token.token_id);
  v_old invite.trigger_tokens;
  v_new record;
begin
  select t.* into v_old from invite.trigger_tokens as t where t.id = change_token.token_id for no key update;
  select
    nullif(n.name, v_old.name) as name,
    nullif(n.cooldown_seconds, v_old.cooldown_seconds) as cooldown_seconds,
    nullif(n.default_subject, v_old.default_subject) as default_subject,
    nullif(n.default_message, v_old.default_message) as default_message,
    nullif(n.default_reminder_days, v_old.default_reminder_days) as default_reminder_days,
    nullif(n.default_reminder_subject, coalesce(v_old.default_reminder_subject, '')) as default_reminder_subject,
    nullif(n.default_reminder_message, coalesce(v_old.default_reminder_message, '')) as default_reminder_message
  into v_new
  from jsonb_to_record(change_token.settings) as n (
    name text, cooldown_seconds integer, default_subject text, default_message text, default_reminder_days integer,
    default_reminder_subject text, default_reminder_message text);
  if num_nonnulls(
    v_new.name, v_new.cooldown_seconds, v_new.default_subject, v_new.default_message, v_new.default_reminder_days,
    v_new.default_reminder_subject, v_new.default_reminder_message) > 0
  then
    perform invite.update_trigger_token(
      change_token.token_id, v_new.name, v_new.cooldown_seconds, v_new.default_subject, v_new.default_message,
      v_new.default_reminder_days, v_new.default_reminder_subject, v_new.default_reminder_message, v_actor);
  end if;
end
$$;
comment on function invite.change_token(bytea, text, uuid, jsonb) is
  'Changes a trigger token on behalf of an editor; what is as it was is no change.';
