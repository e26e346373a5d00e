/*
 * Reads all jobs, from graphile-worker's private table: its public functions only unlock whole runners.
 */
create or replace function invite.held_jobs(pool_ids text[]) returns bigint[]
language sql stable
as $$
  select coalesce(array_agg(j.id), '{}')
  from graphile_worker._private_jobs as j
  where j.locked_by = any (held_jobs.pool_ids) and j.locked_at < invite.now() - interval '5 seconds'
$$;
comment on function invite.held_jobs(text[]) is 'The jobs that these runners have locked for some seconds.';
