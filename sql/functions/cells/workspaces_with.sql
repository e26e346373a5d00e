create or replace function invite.workspaces_with(workspace_id text) returns setof invite.workspaces
language sql stable
as $$
  select w.* from invite.workspaces as w where w.id = workspaces_with.workspace_id or w.test_of = workspaces_with.workspace_id
$$;
comment on function invite.workspaces_with(text) is 'A workspace and its test workspaces, which move with it.';
