/*
 * An address that is on the list already keeps its reason. The audit log has no address: it could not be erased there.
 */
create function console.add_suppression(session_hash bytea, workspace_id text, email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(add_suppression.session_hash, add_suppression.workspace_id, 'editor');
begin
  insert into invite.suppressions (workspace_id, email, reason, added_by)
  values (add_suppression.workspace_id, lower(add_suppression.email collate "C"), 'manual', v_member.email)
  on conflict on constraint suppressions_pkey do nothing;
  if not found then
    return false;
  end if;
  perform invite.record_audit(add_suppression.workspace_id, v_member.email, 'address_blocked', 'manual');
  return true;
end
$$;
comment on function console.add_suppression(bytea, text, text) is
  'Adds an address to the do-not-email list on behalf of an editor. Returns whether it was not on it.';
