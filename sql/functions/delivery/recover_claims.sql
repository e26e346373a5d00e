/*
 * The result of a claim can be lost when PostgreSQL crashes or the connection breaks right after the commit. Nothing was sent: no
 * attempt is counted.
 *
 * lost_claims: of held_claims, those that the worker does not know. It makes the ids, and counts one as open before it claims, so that a
 * claim made meanwhile never counts as lost.
 *
 * Locks: the invitations, by id (for no key update, skip locked: the next heartbeat takes the others).
 */
create or replace function invite.recover_claims(
  worker_id uuid, lost_claims uuid[], at timestamptz default null
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(recover_claims.at, clock_timestamp());
  v_job_requests invite.job_request[];
begin
  with held as (
    select i.id
    from invite.invitations as i
    where i.worker_id = recover_claims.worker_id and i.status = 'sending' and i.claim_id = any (recover_claims.lost_claims)
    order by i.id
    for no key update skip locked
  ),
  freed as (
    update invite.invitations as i
    set
      status = case when i.cancelled_at is null then 'queued' else 'cancelled' end::invite.invitation_status,
      due_at = case when i.cancelled_at is null then i.due_at end,
      sweep_at = case when i.cancelled_at is null then v_now + invite.job_grace() end,
      claim_id = null,
      worker_id = null,
      attempts = greatest(i.attempts - 1, 0)
    from held as h
    where i.id = h.id
    returning i.id, i.status
  )
  select array_agg(row(f.id, v_now)::invite.job_request) filter (where f.status = 'queued') into v_job_requests
  from freed as f;

  perform invite.queue_sends(v_job_requests);
  return coalesce(cardinality(v_job_requests), 0);
end
$$;
comment on function invite.recover_claims(uuid, uuid[], timestamptz) is
  'Requeues what a worker holds under claims whose result it has lost. Returns how many rows.';
