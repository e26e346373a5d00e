/*
 * A message that is being sent still needs its address. Nothing is sent after it, and a later call erases it.
 *
 * suppress: the workspace must never email the address again. Then the address is kept in invite.suppressions. Without suppress, an
 * existing suppression stays, and an address without one may be invited again.
 *
 * with_response: what the person has answered goes too, see erase_invitations. Only in the same call: later, nothing says whose responses they
 * are. An address that was erased before has none.
 *
 * Less email (recipient_choices) was wished from this address, so it goes with it, once no message is being sent. Retention keeps these wishes, as
 * it keeps suppressions.
 *
 * The audit log proves the erasure, without the address. A relay's event that fits no invitation belongs to no workspace, and may be about
 * other email: it keeps its address until it is deleted after a day.
 *
 * The lines of uploads with the address go too: their people aren't invited yet, or will not be.
 *
 * Locks: as lock_invitations; the clock is read after it. Then the suppression, and the choices.
 */
create or replace function invite.erase_email(
  workspace_id text, email text, suppress boolean default false, at timestamptz default null,
  with_response boolean default false
) returns invite.erase_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids constant bigint[] := invite.invitations_to(erase_email.workspace_id, erase_email.email);
  v_now timestamptz;
  v_cancelled invite.cancel_result;
  v_result invite.erase_result;
begin
  perform invite.require_workspace(erase_email.workspace_id);
  perform invite.lock_invitations(v_ids, true);
  v_now := invite.clock_of(erase_email.workspace_id, erase_email.at);

  insert into invite.suppressions (workspace_id, email, reason)
  select erase_email.workspace_id, lower(erase_email.email collate "C"), 'manual'
  where erase_email.suppress
  on conflict on constraint suppressions_pkey do nothing;

  v_cancelled := invite.cancel_invitations(v_ids, v_now);
  perform invite.erase_upload_lines(erase_email.workspace_id, erase_email.email);
  v_result := invite.erase_invitations(v_ids, v_now, erase_email.with_response);
  delete from invite.recipient_choices as c
  where c.workspace_id = erase_email.workspace_id and c.email = lower(erase_email.email collate "C")
    and not exists (select from invite.addresses as a where a.workspace_id = c.workspace_id and a.email = c.email);
  v_result.cancelled := v_cancelled.cancelled;
  v_result.still_sending := v_cancelled.already_sending;
  perform invite.record_audit(
    erase_email.workspace_id, invite.current_actor(), 'address_erased', null,
    to_jsonb(v_result) || jsonb_build_object('suppressed', erase_email.suppress));
  return v_result;
end
$$;
comment on function invite.erase_email(text, text, boolean, timestamptz, boolean) is
  'Cancels the pending messages to an address in a workspace and erases the address from its invitations; call again while still_sending.';
