/*
 * Called in the transaction that has copied the rows. jobs: those of jobs_of in the other database. from_cell: for the audit log.
 *
 * What is due or scheduled gets jobs again, reminders when they are near (sweep_invitations).
 */
create or replace function invite.arrive(workspace_id text, jobs jsonb, from_cell text) returns void
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_ids constant text[] := array(select w.id from invite.workspaces_with(arrive.workspace_id) as w);
  v_now constant timestamptz := invite.clock();
begin
  perform invite.queue_sends(array_agg(row(m.invitation_id, greatest(m.not_before, v_now))::invite.job_request))
  from invite.batches as b
  join invite.invitations as i on i.batch_id = b.id
  join invite.messages as m on m.invitation_id = i.id
  where b.survey_id in (select s.id from invite.surveys as s where s.workspace_id = any (v_ids))
    and m.status::text = 'queued' and (m.number = 0 or m.not_before <= v_now + interval '1 minute');
  perform graphile_worker.add_job(
    j.task, j.payload, j.queue_name, j.run_at, j.max_attempts, j.key, j.priority)
  from jsonb_to_recordset(arrive.jobs) as j (
    task text, payload json, queue_name text, run_at timestamptz, max_attempts integer, key text, priority integer);
  perform graphile_worker.add_job('requeue_workspace', json_build_object('workspace_id', w.id), priority => -1) from unnest(v_ids) as w (id);
  perform invite.wake_webhooks();
  perform invite.record_audit(
    w.id, invite.current_actor(), 'workspace_moved', w.name, jsonb_build_object('from', arrive.from_cell, 'to', invite.home()))
  from invite.workspaces as w
  where w.id = arrive.workspace_id;
  delete from invite.moved_workspaces as m where m.workspace_id = any (v_ids);
end
$$;
comment on function invite.arrive(text, jsonb, text) is 'Sets going what a workspace has brought from another database.';
