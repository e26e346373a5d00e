/*
 * Called after each sweep, because a crontab knows minutes only; the crontab begins again if the job was lost. Both use one key, so
 * that there is one job. In a transaction of its own: two with one key wait for each other.
 */
create or replace function invite.next_sweep() returns void
language sql volatile
as $$
  select graphile_worker.add_job(
    'sweep_invitations', run_at => invite.clock() + interval '15 seconds', job_key => 'sweep_invitations', priority => -1)
$$;
comment on function invite.next_sweep() is 'Adds the job for the next sweep, in 15 seconds.';
