create function console.end_previous_secret(session_hash bytea, survey_id text, token_id uuid) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_token_editor(
    end_previous_secret.session_hash, end_previous_secret.survey_id, end_previous_secret.token_id);
begin
  perform console.require_recent_sign_in(end_previous_secret.session_hash);
  perform invite.end_previous_secret(end_previous_secret.token_id, v_member.email);
end
$$;
comment on function console.end_previous_secret(bytea, text, uuid) is 'Ends the replaced secret of a trigger token on behalf of an editor.';
