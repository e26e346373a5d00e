/*
 * The response that handed out a job is lost when the connection breaks right after the commit; graphile-worker would wait four hours.
 * It has not run: no attempt is counted.
 * Locks: the jobs.
 */
create or replace function invite.unlock_jobs(pool_ids text[], job_ids bigint[]) returns integer
language plpgsql volatile
as $$
declare
  v_unlocked integer;
begin
  update graphile_worker._private_jobs as j
  set locked_by = null, locked_at = null, attempts = greatest(j.attempts - 1, 0)
  where j.id = any (unlock_jobs.job_ids) and j.locked_by = any (unlock_jobs.pool_ids);
  get diagnostics v_unlocked = row_count;
  return v_unlocked;
end
$$;
comment on function invite.unlock_jobs(text[], bigint[]) is
  'Unlocks jobs that these runners hold without knowing. Returns how many.';
