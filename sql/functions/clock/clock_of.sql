/*
 * For functions that write to one workspace: in a test workspace it is as late as its owners say.
 */
create or replace function invite.clock_of(workspace_id text, at timestamptz default null) returns timestamptz
language plpgsql volatile
as $$
begin
  return coalesce(
    clock_of.at, (select w.test_now from invite.workspaces as w where w.id = clock_of.workspace_id), invite.clock());
end
$$;
comment on function invite.clock_of(text, timestamptz) is 'The time that was given or, if none was, the present time in a workspace.';
