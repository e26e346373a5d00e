/*
 * Called once the workspace is in the other database. The old copy stays until erase_at: read_events reads there what happened here. Nobody can sign in to it,
 * and nothing of it is sent: members, pending messages and jobs are deleted, endpoints disabled. Can be repeated.
 *
 * Raises: 55000 if no move has begun.
 */
create or replace function invite.end_move(workspace_id text, keep_hours integer default 24) returns void
language plpgsql volatile
set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_ids constant text[] := array(select w.id from invite.workspaces_with(end_move.workspace_id) as w where w.moved_to is not null);
begin
  if v_ids = '{}' then
    raise exception 'workspace % does not move', end_move.workspace_id using errcode = '55000';
  end if;
  perform invite.note_copy(end_move.workspace_id, end_move.keep_hours);
  delete from invite.members as m where m.workspace_id = any (v_ids);
  delete from invite.messages as m
  using invite.surveys as s, invite.batches as b, invite.invitations as i
  where s.workspace_id = any (v_ids) and b.survey_id = s.id and i.batch_id = b.id and m.invitation_id = i.id and m.not_before is not null;
  update invite.webhook_endpoints as w set disabled_at = invite.clock() where w.workspace_id = any (v_ids) and w.disabled_at is null;
  perform graphile_worker.complete_jobs(array(select j.id from invite.jobs_of(v_ids) as j where j.locked_at is null));
end
$$;
comment on function invite.end_move(text, integer) is 'Ends a move where the workspace was: writes where it is now, and when the old copy is erased.';
