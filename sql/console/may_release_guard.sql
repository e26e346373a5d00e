create function console.may_release_guard(workspace invite.workspaces, at timestamptz) returns boolean
language sql immutable
as $$
  select coalesce(workspace.guard_since < may_release_guard.at - interval '7 days', true)
$$;
comment on function console.may_release_guard(invite.workspaces, timestamptz) is
  'Whether a member may release the guard: once in seven days. After that, only the operator.';
