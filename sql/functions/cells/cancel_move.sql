/*
 * What waited meanwhile is requeued, as after a suspension (_500_sendable). Does nothing once end_move has been called. Locks: the workspaces.
 */
create or replace function invite.cancel_move(workspace_id text) returns void
language sql volatile
as $$
  update invite.workspaces as w set moved_to = null
  where w.id in (select x.id from invite.workspaces_with(cancel_move.workspace_id) as x) and w.moved_to is not null
    and not exists (select from invite.moved_workspaces as m where m.workspace_id = cancel_move.workspace_id)
$$;
comment on function invite.cancel_move(text) is 'Takes a move back that has not ended: the workspace is here as before.';
