/*
 * Adds a member, changes a role, or removes a member (role null), on behalf of an owner or admin. Only an owner makes, changes or removes
 * an owner. That an owner stays is upsert_member's and remove_member's to see.
 *
 * adding: whether the person is to be new, or a member with this role already. Without it a change of somebody who was removed meanwhile
 * would bring that person back; with it nobody's role is changed.
 *
 * Called by: the HTTP process. Locks: the owners' rows in order (keep_owner), so that of two owners who remove each other one stays; then
 * the member's. The right to do it is looked at again after the first.
 * Raises: P0002, 42501 (require_role), P0002 for who is no member, 42501 if an admin touches an owner, 23514 members_last_owner, members_added_before,
 * members_email_folded.
 */
create or replace function invite.change_member(
  session_hash bytea, workspace_id text, email text, new_role invite.member_role, adding boolean default false
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := lower(change_member.email);
  v_actor text;
  v_owners text[];
  v_role invite.member_role;
begin
  perform invite.require_role(change_member.session_hash, change_member.workspace_id, 'admin');
  perform invite.keep_owner(change_member.workspace_id);
  v_actor := invite.require_role(change_member.session_hash, change_member.workspace_id, 'admin');
  v_owners := array(
    select m.email from invite.members as m where m.workspace_id = change_member.workspace_id and m.role = 'owner');

  if not v_actor = any (v_owners) and (v_email = any (v_owners) or change_member.new_role is not distinct from 'owner') then
    raise exception 'only an owner may make, change or remove an owner' using errcode = '42501';
  end if;
  if change_member.new_role is null then
    perform invite.remove_member(change_member.workspace_id, v_email, v_actor);
    return;
  end if;
  select m.role into v_role
  from invite.members as m
  where m.workspace_id = change_member.workspace_id and m.email = v_email
  for update;
  if v_role is null and not change_member.adding then
    raise exception 'workspace % has no member %', change_member.workspace_id, v_email using errcode = 'P0002';
  elsif change_member.adding and v_role <> change_member.new_role then
    raise exception 'the person is a member already, as %', v_role using errcode = '23514', constraint = 'members_added_before';
  end if;
  perform invite.upsert_member(change_member.workspace_id, v_email, change_member.new_role, v_actor);
end
$$;
comment on function invite.change_member(bytea, text, text, invite.member_role, boolean) is
  'Adds, changes or (role null) removes a member on behalf of an owner or admin; the last owner stays.';
