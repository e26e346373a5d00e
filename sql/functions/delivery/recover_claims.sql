/*
 * The result of a claim can be lost when PostgreSQL crashes or the connection breaks right after the commit. Nothing was sent: no
 * attempt is counted.
 *
 * lost_claims: of held_claims, those that the worker does not know. It makes the ids, and counts one as open before it claims, so that a
 * claim made meanwhile never counts as lost.
 *
 * Locks: the messages, by invitation (for no key update, skip locked: the next heartbeat takes the others), by a statement of its own: the
 * next one sees cancellations that were committed before the lock.
 */
create or replace function invite.recover_claims(
  worker_id uuid, lost_claims uuid[], at timestamptz default null
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := invite.clock(recover_claims.at);
  v_lost_ids bigint[];
  v_job_requests invite.job_request[];
begin
  v_lost_ids := array(
    select m.invitation_id
    from invite.messages as m
    where m.worker_id = recover_claims.worker_id and m.status = 'sending' and m.claim_id = any (recover_claims.lost_claims)
    order by m.invitation_id
    for no key update skip locked
  );
  with freed as (
    update invite.messages as m
    set
      status = case when m.cancelled_at is null then 'queued' else 'cancelled' end::invite.message_status,
      not_before = case when m.cancelled_at is null then m.not_before end,
      sweep_at = case when m.cancelled_at is null then v_now + invite.job_grace() end,
      claim_id = null,
      worker_id = null,
      attempts = greatest(m.attempts - 1, 0)
    where m.invitation_id = any (v_lost_ids) and m.status::text = 'sending'
    returning m.invitation_id as id, m.status
  )
  select array_agg(row(f.id, v_now)::invite.job_request) filter (where f.status = 'queued') into v_job_requests
  from freed as f;

  perform invite.queue_sends(v_job_requests);
  return coalesce(cardinality(v_job_requests), 0);
end
$$;
comment on function invite.recover_claims(uuid, uuid[], timestamptz) is
  'Requeues what a worker holds under claims whose result it has lost. Returns how many rows.';
