create function console.retry_invitation(session_hash bytea, survey_id text, invitation_id bigint) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_invitation_editor(retry_invitation.session_hash, retry_invitation.survey_id, retry_invitation.invitation_id);
  v_result invite.retry_result := invite.retry_invitation(retry_invitation.invitation_id);
begin
  return v_result.queued;
end
$$;
comment on function console.retry_invitation(bytea, text, bigint) is
  'Queues the failed message of an invitation again on behalf of an editor. Returns how many.';
