/*
 * A call that changes nothing writes, locks and records nothing. The test workspaces of a workspace have its members.
 * Locks: the owners' rows in order (keep_owner) unless it makes an owner, then the member's.
 * Raises: P0002, 23514 members_last_owner, members_of_test, members_email_folded.
 */
create or replace function invite.upsert_member(workspace_id text, email text, role invite.member_role, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := lower(upsert_member.email collate "C");
  v_before invite.member_role;
begin
  perform invite.require_workspace(upsert_member.workspace_id);
  if exists (
    select from invite.members as m
    where m.workspace_id = upsert_member.workspace_id and m.email = v_email and m.role = upsert_member.role
  ) then
    return;
  end if;
  perform invite.require_own_members(upsert_member.workspace_id);
  if upsert_member.role <> 'owner' then
    perform invite.keep_owner(upsert_member.workspace_id, v_email);
  end if;
  select m.role into v_before
  from invite.members as m
  where m.workspace_id = upsert_member.workspace_id and m.email = v_email
  for update;
  insert into invite.members as m (workspace_id, email, role)
  select w.id, v_email, upsert_member.role
  from invite.workspaces as w
  where w.id = upsert_member.workspace_id or w.test_of = upsert_member.workspace_id
  on conflict on constraint members_pkey do update set role = excluded.role;
  if v_before is distinct from upsert_member.role then
    perform invite.record_audit(
      upsert_member.workspace_id, upsert_member.actor, case when v_before is null then 'member_added'::invite.audit_action else 'member_changed' end,
      v_email, jsonb_build_object('role', upsert_member.role, 'before', v_before));
  end if;
end
$$;
comment on function invite.upsert_member(text, text, invite.member_role, text) is
  'Adds a member to a workspace or changes the member''s role; the last owner stays an owner.';
