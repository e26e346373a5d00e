/*
 * As clock_of, for functions that only read.
 */
create or replace function invite.now_of(workspace_id text, at timestamptz default null) returns timestamptz
language sql stable
as $$
  select coalesce(now_of.at, (select w.test_now from invite.workspaces as w where w.id = now_of.workspace_id), invite.now())
$$;
comment on function invite.now_of(text, timestamptz) is 'The time that was given or, if none was, the present time in a workspace.';
