/*
 * Someone who is already a member with another role keeps that role.
 * Locks: the owners' rows in order, then the member's.
 * Raises: as require_member_change; 23514 members_added_before, members_email_folded.
 */
create function console.add_member(session_hash bytea, workspace_id text, email text, new_role invite.member_role) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members :=
    console.require_member_change(add_member.session_hash, add_member.workspace_id, add_member.email, add_member.new_role);
  v_role invite.member_role;
begin
  select m.role into v_role
  from invite.members as m
  where m.workspace_id = add_member.workspace_id and m.email = lower(add_member.email collate "C")
  for update;
  if v_role <> add_member.new_role then
    raise exception 'the person is a member already, as %', v_role using errcode = '23514', constraint = 'members_added_before';
  end if;
  perform invite.upsert_member(add_member.workspace_id, add_member.email, add_member.new_role, v_member.email);
end
$$;
comment on function console.add_member(bytea, text, text, invite.member_role) is 'Adds a member on behalf of an owner or admin.';
