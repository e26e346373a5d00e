create function console.send_invitation_anyway(session_hash bytea, survey_id text, invitation_id bigint) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_invitation_editor(send_invitation_anyway.session_hash, send_invitation_anyway.survey_id, send_invitation_anyway.invitation_id);
  v_result invite.retry_result := invite.send_invitation_anyway(send_invitation_anyway.invitation_id);
begin
  return v_result.queued;
end
$$;
comment on function console.send_invitation_anyway(bytea, text, bigint) is
  'Sends an email that rests or was skipped, on behalf of an editor. Returns how many: 0 or 1.';
