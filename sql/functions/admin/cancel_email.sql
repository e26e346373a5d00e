/*
 * Cancels them in all surveys of the workspace. Later requests may invite the address again; to prevent that, call suppress_email. An
 * address that was never invited is no error.
 */
create or replace function invite.cancel_email(
  workspace_id text, email text, at timestamptz default null
) returns invite.cancel_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result invite.cancel_result;
begin
  perform invite.require_workspace(cancel_email.workspace_id);
  v_result := invite.cancel_invitations(
    invite.invitations_to(cancel_email.workspace_id, cancel_email.email), cancel_email.at);
  if v_result.cancelled + v_result.already_sending > 0 then
    perform invite.record_audit(
      cancel_email.workspace_id, invite.current_actor(), 'address_cancelled', null,
      jsonb_build_object('messages', v_result.cancelled + v_result.already_sending));
  end if;
  return v_result;
end
$$;
comment on function invite.cancel_email(text, text, timestamptz) is 'Cancels the pending messages to an address in a workspace.';
