/*
 * Deletes its test workspaces, suspends the workspace, deletes its surveys one after the other (delete_survey), then everything else. The workspace's audit log is
 * deleted too. One entry stays: that the workspace was deleted, when, by whom, and how much it contained.
 *
 * Two things have steps of their own because of the lock order: the workspace, which comes after surveys, and the suppressions, which
 * resubscribe locks before the rows that delete_survey deletes.
 *
 * Pins: lookup plan. Locks: as delete_survey.
 */
create or replace function invite.delete_workspace(workspace_id text, max_rows integer default 2000) returns invite.delete_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_id constant text := delete_workspace.workspace_id;
  v_survey text;
  v_test text;
  v_step invite.delete_result;
  v_deleted integer;
  v_result invite.delete_result := row(0, 0, true);
begin
  perform invite.require_workspace(v_id, old_copy => true);
  if not exists (
    select
    from invite.audit_log as a
    where a.workspace_id is null and a.action = 'deletion_started' and a.subject = v_id
      -- One of the same id may have been deleted before.
      and a.id > coalesce((
        select max(d.id) from invite.audit_log as d where d.workspace_id is null and d.action = 'workspace_deleted' and d.subject = v_id), 0)
  ) then
    perform invite.record_audit(
      null, invite.current_actor(), 'deletion_started', v_id,
      jsonb_build_object(
        'surveys', (select count(*) from invite.surveys as s where s.workspace_id = v_id),
        'members', (select count(*) from invite.members as m where m.workspace_id = v_id),
        'batches', count(*), 'invitations', coalesce(sum(b.recipients), 0)))
    from invite.batches as b
    where b.workspace_id = v_id;
  end if;

  select w.id into v_test from invite.workspaces as w where w.test_of = v_id order by w.id limit 1;
  if found then
    v_step := invite.delete_workspace(v_test, delete_workspace.max_rows);
    v_result.deleted := v_step.deleted;
    return v_result;
  end if;
  update invite.workspaces as w set suspended_at = invite.clock() where w.id = v_id and w.suspended_at is null and w.moved_to is null;
  if found then
    return v_result;
  end if;

  for v_survey in select s.id from invite.surveys as s where s.workspace_id = v_id order by s.id limit 100 loop
    v_step := invite.delete_survey(v_survey, delete_workspace.max_rows - v_result.deleted);
    v_result.deleted := v_result.deleted + v_step.deleted;
    v_result.sending := v_result.sending + v_step.sending;
    -- The next survey would be locked after what this one has locked.
    exit when v_result.deleted > 0;
  end loop;
  if v_survey is not null then
    return v_result;
  end if;

  delete from invite.suppressions as p
  where p.workspace_id = v_id and p.email = any (array(
    select x.email from invite.suppressions as x where x.workspace_id = v_id limit delete_workspace.max_rows));
  get diagnostics v_deleted = row_count;
  v_result.deleted := v_result.deleted + v_deleted;
  delete from invite.events as e
  where e.workspace_id = v_id and e.position = any (array(
    select x.position from invite.events as x where x.workspace_id = v_id order by x.position limit delete_workspace.max_rows - v_result.deleted));
  get diagnostics v_deleted = row_count;
  v_result.deleted := v_result.deleted + v_deleted;
  delete from invite.webhook_deliveries as d
  where d.id = any (array(
    select x.id
    from invite.webhook_endpoints as e
    join invite.webhook_deliveries as x on x.endpoint_id = e.id
    where e.workspace_id = v_id
    limit delete_workspace.max_rows - v_result.deleted));
  get diagnostics v_deleted = row_count;
  v_result.deleted := v_result.deleted + v_deleted;
  delete from invite.audit_log as a
  where a.id = any (array(
    select x.id from invite.audit_log as x where x.workspace_id = v_id limit delete_workspace.max_rows - v_result.deleted));
  get diagnostics v_deleted = row_count;
  v_result.deleted := v_result.deleted + v_deleted;
  if v_result.deleted > 0 then
    return v_result;
  end if;

  -- Waits for surveys that are being created and for events that are being published. The next step deletes these.
  perform from invite.workspaces as w where w.id = v_id for update;
  perform from invite.queue_progress as p where p.queue = 'new_events' for share;
  if not exists (select from invite.surveys as s where s.workspace_id = v_id)
    and not exists (select from invite.events as e where e.workspace_id = v_id)
  then
    delete from invite.workspaces as w where w.id = v_id;
    perform invite.record_audit(null, invite.current_actor(), 'workspace_deleted', v_id);
    v_result.more := false;
  end if;
  return v_result;
end
$$;
comment on function invite.delete_workspace(text, integer) is
  'One bounded step of deleting a workspace with all that belongs to it; call again while more is true.';
