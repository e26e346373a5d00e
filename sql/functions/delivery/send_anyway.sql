/*
 * Emails that a rest puts off, or that were skipped because they could not leave in time, are due now; their deadline counts from now, and they
 * leave in spite of the workspace's rest. Hours hold them all the same, and what the recipient chose. What was declined, or whose survey or
 * link has ended, is left alone.
 *
 * Locks: the messages, by invitation (for no key update); the clock is read after it. Pins: lookup plan.
 */
create or replace function invite.send_anyway(invitation_ids bigint[], at timestamptz) returns invite.retry_result
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz;
  v_job_requests invite.job_request[];
  v_left_alone integer;
begin
  v_now := invite.lock_messages(send_anyway.invitation_ids, send_anyway.at);

  with sent as (
    update invite.messages as m
    set
      status = 'queued', not_before = v_now, sweep_at = v_now + invite.job_grace(), rule = null, skipped_at = null, retried_at = v_now,
      ignores_rest = true
    from invite.invitations as i
    where m.invitation_id = any (send_anyway.invitation_ids)
      and i.id = m.invitation_id
      and (m.status::text = 'queued' and m.rule = 'resting' or m.status::text = 'skipped' and m.rule in ('too_late', 'rests_too_long', 'opens_too_late', 'capped_too_long'))
      and i.responded_at is null
      and i.erased_at is null
    returning m.invitation_id
  )
  select array_agg(row(s.invitation_id, v_now)::invite.job_request) into v_job_requests
  from sent as s;

  select count(*) into v_left_alone
  from invite.messages as m
  where m.invitation_id = any (send_anyway.invitation_ids) and m.status::text = 'skipped';

  perform invite.queue_sends(v_job_requests);
  return row(coalesce(cardinality(v_job_requests), 0), v_left_alone, null)::invite.retry_result;
end
$$;
comment on function invite.send_anyway(bigint[], timestamptz) is
  'Queues those of these invitations that a rest has put off, or that were skipped, in spite of the rest and their deadline.';
