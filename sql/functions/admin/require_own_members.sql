/*
 * Raises: 23514 members_of_test.
 */
create or replace function invite.require_own_members(workspace_id text) returns void
language plpgsql stable
as $$
begin
  if exists (select from invite.workspaces as w where w.id = require_own_members.workspace_id and w.test_of is not null) then
    raise exception 'a test workspace has the members of its workspace (members_of_test)' using errcode = '23514', constraint = 'members_of_test';
  end if;
end
$$;
comment on function invite.require_own_members(text) is 'Raises an error if the members are those of another workspace.';
