/*
 * Each function that takes a session calls this guard first, directly or through another guard.
 * Raises: P0002 for anyone who isn't a member, as if there were no such workspace; IT403 for a member whose role is not enough; IT503
 * while the workspace moves.
 */
create function console.require_role(session_hash bytea, workspace_id text, min_role invite.member_role) returns invite.members
language plpgsql stable
as $$
declare
  v_member invite.members;
begin
  select m.* into v_member
  from invite.members as m
  where m.workspace_id = require_role.workspace_id and m.email = console.session_email(require_role.session_hash);
  if v_member.email is null then
    raise exception 'there is no workspace %', require_role.workspace_id using errcode = 'P0002';
  end if;
  perform invite.require_workspace(v_member.workspace_id);
  -- The enum lists the roles from the most rights to the fewest.
  if v_member.role > require_role.min_role then
    raise exception 'the role % is not enough: % is required (members_min_role)', v_member.role, require_role.min_role
      using errcode = 'IT403', constraint = 'members_min_role',
        detail = jsonb_build_object('role', v_member.role, 'min_role', require_role.min_role);
  end if;
  return v_member;
end
$$;
comment on function console.require_role(bytea, text, invite.member_role) is
  'The member who uses a session, if that person has at least this role in the workspace; raises P0002 or IT403 otherwise.';
