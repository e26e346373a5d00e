/*
 * From its commit on, nothing new is accepted, claimed or changed: all that could asks moved_to. What had asked before may still write, which move_waits_for
 * tells. Can be repeated, and is then about test workspaces that were being made.
 *
 * Raises: P0002; 22023 workspaces_move_alone if it is a test workspace, workspaces_moves_elsewhere if it moves or has moved to another database.
 * Locks: the workspaces, by id (for update).
 */
create or replace function invite.begin_move(workspace_id text, cell text) returns void
language plpgsql volatile
as $$
declare
  v_workspace invite.workspaces;
begin
  select w.* into v_workspace from invite.workspaces as w where w.id = begin_move.workspace_id for update;
  if v_workspace.id is null then
    perform invite.require_workspace(begin_move.workspace_id);
  elsif v_workspace.test_of is not null then
    raise exception 'a test workspace moves with its workspace % (workspaces_move_alone)', v_workspace.test_of
      using errcode = '22023', constraint = 'workspaces_move_alone';
  elsif v_workspace.moved_to <> begin_move.cell then
    raise exception 'workspace % moves or has moved to cell % (workspaces_moves_elsewhere)', v_workspace.id, v_workspace.moved_to
      using errcode = '22023', constraint = 'workspaces_moves_elsewhere';
  end if;
  perform from invite.workspaces_with(begin_move.workspace_id) as x join invite.workspaces as w on w.id = x.id order by w.id for update of w;
  update invite.workspaces as w set moved_to = begin_move.cell
  where w.id in (select x.id from invite.workspaces_with(begin_move.workspace_id) as x) and w.moved_to is null;
end
$$;
comment on function invite.begin_move(text, text) is 'Begins to move a workspace to another database: from here on nothing changes it.';
