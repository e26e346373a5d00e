/*
 * Reading gives out addresses and answers: that takes an admin, as webhooks do.
 */
create function console.update_trigger_token(session_hash bytea, survey_id text, token_id uuid, settings jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_token_editor(
    update_trigger_token.session_hash, update_trigger_token.survey_id, update_trigger_token.token_id);
begin
  if update_trigger_token.settings ? 'allow_reading' then
    perform console.require_survey_role(update_trigger_token.session_hash, update_trigger_token.survey_id, 'admin');
  end if;
  perform invite.update_trigger_token(update_trigger_token.token_id, update_trigger_token.settings, v_member.email);
end
$$;
comment on function console.update_trigger_token(bytea, text, uuid, jsonb) is
  'Changes a trigger token on behalf of an editor; whether it may read, on behalf of an admin.';
