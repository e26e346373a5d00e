/*
 * Only an owner can add, change or remove an owner. The function checks the role again after it has the locks, because another owner may
 * have changed it meanwhile.
 *
 * Locks: the owners' rows in order (keep_owner), so that of two owners who remove each other one stays. Raises: P0002, IT403
 * (require_role), IT403 members_owner_only if an admin touches an owner, IT403 sessions_recent_sign_in.
 */
create function console.require_member_change(
  session_hash bytea, workspace_id text, email text, new_role invite.member_role
) returns invite.members
language plpgsql volatile
as $$
declare
  v_member invite.members;
begin
  perform console.require_role(require_member_change.session_hash, require_member_change.workspace_id, 'admin');
  perform invite.keep_owner(require_member_change.workspace_id);
  v_member := console.require_role(require_member_change.session_hash, require_member_change.workspace_id, 'admin');

  if v_member.role <> 'owner' and (
    require_member_change.new_role is not distinct from 'owner'
    or exists (
      select from invite.members as m
      where m.workspace_id = require_member_change.workspace_id and m.email = lower(require_member_change.email collate "C") and m.role = 'owner')
  ) then
    raise exception 'only an owner may add, change or remove an owner (members_owner_only)'
      using errcode = 'IT403', constraint = 'members_owner_only';
  end if;
  perform console.require_recent_sign_in(require_member_change.session_hash);
  return v_member;
end
$$;
comment on function console.require_member_change(bytea, text, text, invite.member_role) is
  'The owner or admin who uses a session, if that person may give the member this role or, with a null role, remove the member.';
