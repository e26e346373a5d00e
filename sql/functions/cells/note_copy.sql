/*
 * A copy whose workspace is in the cell that its moved_to names: of one that has moved away, or that is about to come. Nobody can sign in to it, and nothing of it
 * is sent. Can be repeated. erase_old_copy does nothing to a workspace that has come meanwhile.
 */
create or replace function invite.note_copy(workspace_id text, keep_hours integer) returns void
language plpgsql volatile
as $$
declare
  v_erase_at constant timestamptz := invite.clock() + note_copy.keep_hours * interval '1 hour';
begin
  insert into invite.moved_workspaces as m (workspace_id, home, cell, moved_at, erase_at)
  select w.id, w.home, w.moved_to, invite.clock(), v_erase_at
  from invite.workspaces_with(note_copy.workspace_id) as w
  where w.moved_to is not null
  on conflict on constraint moved_workspaces_pkey do update
  set home = excluded.home, cell = excluded.cell, moved_at = excluded.moved_at, erase_at = excluded.erase_at, erased_at = null;
  -- A worker of the other database has these. Erasing waits for them here, where nobody settles them.
  delete from invite.messages as m
  using invite.workspaces_with(note_copy.workspace_id) as w, invite.surveys as s
  where w.moved_to is not null and s.workspace_id = w.id and m.survey_id = s.id and m.status = 'sending';
  perform graphile_worker.add_job(
    'erase_old_copy', json_build_object('workspace_id', note_copy.workspace_id), run_at => v_erase_at,
    job_key => 'erase_old_copy ' || note_copy.workspace_id);
end
$$;
comment on function invite.note_copy(text, integer) is 'Notes that a workspace is in another database, and when the copy of it that is here is erased.';
