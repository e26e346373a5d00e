create function console.workspace_pause(workspace invite.workspaces, settings invite.settings, role invite.member_role) returns jsonb
language sql stable
as $$
  select case
    when settings.paused_at is not null then jsonb_build_object('scope', 'service', 'at', settings.paused_at)
    when workspace.guarded_at is not null then jsonb_build_object('scope', 'guard', 'at', workspace.guarded_at)
    when workspace.paused_at is not null then
      jsonb_build_object(
        'scope', 'workspace', 'at', workspace.paused_at,
        'by', case when role <= 'admin' then console.paused_by(workspace.id, 'workspace', null, workspace.paused_at) end)
  end
$$;
comment on function console.workspace_pause(invite.workspaces, invite.settings, invite.member_role) is
  'What pauses all email of a workspace, {scope, at, by}; null: nothing. scope: service, guard or workspace. by: for owners and admins.';
