/*
 * replaces: as in invite.replace_trigger_secret.
 */
create function console.replace_trigger_secret(
  session_hash bytea, survey_id text, token_id uuid, secret_hash bytea, secret_hint text, keep_seconds integer, replaces text
) returns timestamptz
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_token_editor(
    replace_trigger_secret.session_hash, replace_trigger_secret.survey_id, replace_trigger_secret.token_id);
begin
  perform console.require_recent_sign_in(replace_trigger_secret.session_hash);
  return invite.replace_trigger_secret(
    replace_trigger_secret.token_id, replace_trigger_secret.secret_hash, replace_trigger_secret.secret_hint,
    replace_trigger_secret.keep_seconds, replace_trigger_secret.replaces, v_member.email);
end
$$;
comment on function console.replace_trigger_secret(bytea, text, uuid, bytea, text, integer, text) is
  'Gives a trigger token another secret on behalf of an editor. Returns until when the old one is accepted; null: it isn''t any more.';
