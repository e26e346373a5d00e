/*
 * By what their payload names. Not send_invitations, whose jobs hold invitations of several workspaces: arrive makes new ones, and a claim of what isn't here
 * does nothing. test/cells/jobs.test.ts says which tasks there are. From graphile-worker's private tables, as send_jobs.
 */
create or replace function invite.jobs_of(workspace_ids text[])
returns table (
  id bigint, task text, payload json, queue_name text, run_at timestamptz, attempts smallint, max_attempts smallint, key text, priority smallint,
  locked_at timestamptz
)
language sql stable
as $$
  select j.id, t.identifier, j.payload, q.queue_name, j.run_at, j.attempts, j.max_attempts, j.key, j.priority, j.locked_at
  from graphile_worker._private_jobs as j
  join graphile_worker._private_tasks as t on t.id = j.task_id
  left join graphile_worker._private_job_queues as q on q.id = j.job_queue_id
  where t.identifier not in ('send_invitations', 'erase_old_copy') and json_typeof(j.payload) = 'object'
    and (
      j.payload ->> 'workspace_id' = any (jobs_of.workspace_ids)
      or j.payload ->> 'survey_id' in (select s.id from invite.surveys as s where s.workspace_id = any (jobs_of.workspace_ids))
      or j.payload ->> 'endpoint_id' in (select w.id::text from invite.webhook_endpoints as w where w.workspace_id = any (jobs_of.workspace_ids))
      or j.payload ->> 'test_id' in (
        select x.id::text
        from invite.surveys as s
        join invite.test_invitations as x on x.survey_id = s.id
        where s.workspace_id = any (jobs_of.workspace_ids))
    )
$$;
comment on function invite.jobs_of(text[]) is 'The jobs that name a workspace, or something of it.';
