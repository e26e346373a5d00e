/*
 * Locks: the owners' rows in order, then the member's.
 * Raises: as require_member_change; 23514 members_last_owner.
 */
create function console.remove_member(session_hash bytea, workspace_id text, email text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_member_change(remove_member.session_hash, remove_member.workspace_id, remove_member.email, null);
begin
  perform invite.remove_member(remove_member.workspace_id, remove_member.email, v_member.email);
end
$$;
comment on function console.remove_member(bytea, text, text) is
  'Removes a member on behalf of an owner or admin; the last owner stays.';
