/*
 * One job a workspace and second, however many reports come: it runs after their commit, and waits for nobody who reports.
 */
create or replace function invite.queue_guard_checks(workspace_ids text[]) returns void
language sql volatile
as $$
  select graphile_worker.add_job(
    'check_guard', json_build_object('workspace_id', w.id), run_at => invite.clock() + interval '1 second', priority => -1,
    job_key => 'check_guard ' || w.id, job_key_mode => 'preserve_run_at')
  from (select distinct x.id from unnest(queue_guard_checks.workspace_ids) as x (id) order by 1) as w
  where exists (select from invite.guard_limits)
$$;
comment on function invite.queue_guard_checks(text[]) is 'Queues a check of the guard for workspaces about whose email a bounce or complaint was reported.';
