/*
 * Doesn't add a member who was removed meanwhile.
 * Locks: the owners' rows in order, then the member's.
 * Raises: as require_member_change; 23514 members_last_owner.
 */
create function console.set_member_role(session_hash bytea, workspace_id text, email text, new_role invite.member_role) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_member_change(
    set_member_role.session_hash, set_member_role.workspace_id, set_member_role.email, set_member_role.new_role);
begin
  perform from invite.members as m
  where m.workspace_id = set_member_role.workspace_id and m.email = lower(set_member_role.email collate "C")
  for update;
  if not found then
    raise exception 'workspace % has no member %', set_member_role.workspace_id, set_member_role.email using errcode = 'P0002';
  end if;
  perform invite.upsert_member(set_member_role.workspace_id, set_member_role.email, set_member_role.new_role, v_member.email);
end
$$;
comment on function console.set_member_role(bytea, text, text, invite.member_role) is
  'Changes a member''s role on behalf of an owner or admin; the last owner stays.';
