create or replace function invite.hold_of_workspace(workspace invite.workspaces) returns invite.hold_reason
language sql immutable
as $$
  select case
    when num_nonnulls(workspace.suspended_at, workspace.moved_to) > 0 then 'workspace_suspended'::invite.hold_reason
    when workspace.guarded_at is not null then 'workspace_guarded'
    when workspace.paused_at is not null then 'workspace_paused'
  end
$$;
comment on function invite.hold_of_workspace(invite.workspaces) is 'Why a workspace holds its email; null: it doesn''t.';
