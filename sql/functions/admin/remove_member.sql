/*
 * From its test workspaces too.
 * Locks: the owners' rows in order (keep_owner), then the member's. Raises: P0002, 23514 members_last_owner, members_of_test.
 */
create or replace function invite.remove_member(workspace_id text, email text, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role invite.member_role;
begin
  perform invite.require_own_members(remove_member.workspace_id);
  perform invite.keep_owner(remove_member.workspace_id, remove_member.email);
  delete from invite.members as m
  where m.workspace_id = remove_member.workspace_id and m.email = lower(remove_member.email collate "C")
  returning m.role into v_role;
  if not found then
    raise exception 'workspace % has no member %', remove_member.workspace_id, remove_member.email using errcode = 'P0002';
  end if;
  delete from invite.members as m
  using invite.workspaces as w
  where w.test_of = remove_member.workspace_id and m.workspace_id = w.id and m.email = lower(remove_member.email collate "C");
  perform invite.record_audit(
    remove_member.workspace_id, remove_member.actor, 'member_removed', lower(remove_member.email collate "C"), jsonb_build_object('role', v_role));
end
$$;
comment on function invite.remove_member(text, text, text) is 'Removes a member from a workspace; the last owner stays.';
