/*
 * Running ones too; not one that has used up its attempts, or has run for minutes: it is lost with its worker. From graphile-worker's
 * private tables, because its public view has no payload; its version is pinned exactly.
 */
create or replace function invite.send_jobs(at timestamptz) returns setof graphile_worker._private_jobs
language sql stable
as $$
  select j.*
  from graphile_worker._private_jobs as j
  join graphile_worker._private_tasks as t on t.id = j.task_id
  where t.identifier = 'send_invitations'
    and case
      when j.locked_at is null then j.attempts < j.max_attempts and j.run_at <= send_jobs.at + interval '1 minute'
      else j.locked_at > send_jobs.at - interval '2 minutes'
    end
$$;
comment on function invite.send_jobs(timestamptz) is 'The jobs that look at invitations within the next minute.';
