/*
 * See token_settings for the role that each setting takes.
 */
create function console.update_trigger_token(session_hash bytea, survey_id text, token_id uuid, settings jsonb) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_token_editor(
    update_trigger_token.session_hash, update_trigger_token.survey_id, update_trigger_token.token_id);
begin
  perform console.require_survey_role(update_trigger_token.session_hash, update_trigger_token.survey_id, r.least_role)
  from (
    select min(s.least_role) as least_role from invite.token_settings() as s where update_trigger_token.settings ? s.name
  ) as r
  where r.least_role < 'editor';
  perform invite.update_trigger_token(update_trigger_token.token_id, update_trigger_token.settings, v_member.email);
end
$$;
comment on function console.update_trigger_token(bytea, text, uuid, jsonb) is
  'Changes a trigger token on behalf of an editor; some settings take an admin.';
