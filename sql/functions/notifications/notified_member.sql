/*
 * Locks: the member's row (for no key update). Raises: P0002 if there is no such member, 23514 notified_members_of_test.
 */
create or replace function invite.notified_member(workspace_id text, email text) returns invite.notified_members
language plpgsql volatile
as $$
declare
  v_email constant text := lower(notified_member.email collate "C");
  v_member invite.notified_members;
begin
  if exists (select from invite.workspaces as w where w.id = notified_member.workspace_id and w.test_of is not null) then
    raise exception 'a test workspace sends no notifications (notified_members_of_test)' using errcode = '23514', constraint = 'notified_members_of_test';
  end if;
  if not exists (select from invite.members as m where m.workspace_id = notified_member.workspace_id and m.email = v_email) then
    raise exception 'workspace % has no member %', notified_member.workspace_id, notified_member.email using errcode = 'P0002';
  end if;
  insert into invite.notified_members as n (workspace_id, email)
  values (notified_member.workspace_id, v_email)
  on conflict on constraint notified_members_member_key do nothing;
  select n.* into strict v_member
  from invite.notified_members as n
  where n.workspace_id = notified_member.workspace_id and n.email = v_email
  for no key update;
  return v_member;
end
$$;
comment on function invite.notified_member(text, text) is 'The row of a member who wants notifications, locked; created if there is none.';
