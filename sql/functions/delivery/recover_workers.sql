/*
 * A worker is lost when its last heartbeat, or its last look for a job, is older than silent_seconds. A worker that stops calls this
 * for itself with 0.
 * Its jobs are unlocked, which graphile-worker would do after four hours. Its invitations are queued again, due as they were. Attempts
 * stay counted, and fail a message at max_attempts, so that it can't crash one worker after another. What was cancelled meanwhile is
 * cancelled.
 * With hold_unknown nothing is sent again: each message may have left, and fails as unconfirmed.
 * What an unregistered worker sends is taken back too: it was locked then, or restored from a dump.
 *
 * Locks: the lost workers' rows (for update, skip locked: one caller recovers each), then the messages, by invitation (for no key update,
 * skip locked: the next call takes the others), by a statement of its own: the next one sees responses and cancellations that were committed
 * before the lock.
 */
create or replace function invite.recover_workers(
  silent_seconds integer default invite.lost_after_seconds(), only_worker_id uuid default null, at timestamptz default null, max_attempts integer default invite.max_attempts(),
  hold_unknown boolean default false
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := invite.clock(recover_workers.at);
  v_lost integer;
  v_pools text[];
  v_lost_ids bigint[];
  v_job_requests invite.job_request[];
begin
  with lost as (
    select w.id
    from invite.workers as w
    where least(w.heartbeat_at, w.jobs_taken_at) <= v_now - recover_workers.silent_seconds * interval '1 second'
      and (recover_workers.only_worker_id is null or w.id = recover_workers.only_worker_id)
    for update skip locked
  ),
  gone as (
    delete from invite.workers as w using lost as l where w.id = l.id returning w.id, w.pool_id
  )
  select count(*), array_agg(g.pool_id) filter (where g.pool_id is not null) into v_lost, v_pools
  from gone as g;

  v_lost_ids := array(
    select m.invitation_id
    from invite.messages as m
    where m.status = 'sending' and not exists (select from invite.workers as w where w.id = m.worker_id)
    order by m.invitation_id
    for no key update of m skip locked
  );
  with held as (
    select
      m.invitation_id, m.number,
      case
        when m.cancelled_at is not null then 'cancelled'
        when recover_workers.hold_unknown and i.responded_at is null then 'failed'
        when m.attempts >= recover_workers.max_attempts then 'failed'
        else 'queued'
      end::invite.message_status as next_status
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    where m.invitation_id = any (v_lost_ids) and m.status::text = 'sending'
  ),
  freed as (
    update invite.messages as m
    set
      status = h.next_status,
      not_before = case when h.next_status = 'queued' then m.not_before end,
      sweep_at = case when h.next_status = 'queued' then v_now + invite.job_grace() end,
      claim_id = null,
      worker_id = null,
      failed_at = case when h.next_status = 'failed' then v_now else m.failed_at end,
      unconfirmed_since = coalesce(m.unconfirmed_since, v_now),
      last_error_code = case when recover_workers.hold_unknown and h.next_status = 'failed' then 'unconfirmed' else 'worker_lost' end,
      last_error =
        case when recover_workers.hold_unknown and h.next_status = 'failed' then invite.unconfirmed_in_words() || ' ' else '' end
        || 'The worker that was sending this email stopped without saying what became of it.'
    from held as h
    where m.invitation_id = h.invitation_id and m.number = h.number
    returning m.invitation_id as id, m.status
  )
  select array_agg(row(f.id, v_now)::invite.job_request) filter (where f.status = 'queued') into v_job_requests
  from freed as f;

  perform invite.queue_sends(v_job_requests);
  if v_pools is not null then
    perform graphile_worker.force_unlock_workers(v_pools);
  end if;
  return v_lost;
end
$$;
comment on function invite.recover_workers(integer, uuid, timestamptz, integer, boolean) is
  'Requeues what lost workers held, or holds it as unconfirmed, and unlocks their jobs. Returns how many workers were lost.';
