/*
 * The guard of every function that a page calls: the address of who uses the session, if that person has at least this role in the
 * workspace (owner, then admin, editor, viewer). Raises: P0002 for everybody who is no member, as if there were no such workspace;
 * 42501 for a member whose role is not enough.
 */
create or replace function invite.require_role(session_hash bytea, workspace_id text, least_role invite.member_role) returns text
language plpgsql stable
as $$
declare
  v_member invite.members;
begin
  select m.* into v_member
  from invite.members as m
  where m.workspace_id = require_role.workspace_id and m.email = invite.session_email(require_role.session_hash);
  if v_member.email is null then
    raise exception 'there is no workspace %', require_role.workspace_id using errcode = 'P0002';
  end if;
  -- The type lists the roles from the most to the least.
  if v_member.role > require_role.least_role then
    raise exception 'the role % is not enough: it takes %', v_member.role, require_role.least_role using errcode = '42501';
  end if;
  return v_member.email;
end
$$;
comment on function invite.require_role(bytea, text, invite.member_role) is
  'The address of who uses a session, if that person has at least this role in the workspace; raises P0002 or 42501 otherwise.';
