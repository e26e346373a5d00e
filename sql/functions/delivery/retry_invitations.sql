/*
 * The failed message, the invitation or a reminder, is due now, with all attempts before it; its error stays until the next outcome. A batch
 * that the relay rejected gets five attempts again. Survey and suppressions are left to the claim. Pins: lookup plan.
 *
 * Locks: the messages, by invitation, then their batches, by id (for no key update); the clock is read after the messages. The update is
 * its own statement, as in cancel_invitations: of two retries at once, the second finds nothing that has failed.
 */
create or replace function invite.retry_invitations(invitation_ids bigint[], at timestamptz) returns invite.retry_result
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz;
  v_job_requests invite.job_request[];
  v_batches uuid[];
  v_left_alone integer;
begin
  v_now := invite.lock_messages(retry_invitations.invitation_ids, retry_invitations.at);

  with retried as (
    update invite.messages as m
    set
      status = 'queued', not_before = v_now, sweep_at = v_now + invite.job_grace(), attempts = 0, unconfirmed_since = null, rule = null,
      retried_at = v_now
    from invite.invitations as i
    where m.invitation_id = any (retry_invitations.invitation_ids)
      and i.id = m.invitation_id
      and m.status::text = 'failed'
      and i.responded_at is null
      and m.cancelled_at is null
      and i.erased_at is null
    returning i.id, i.batch_id
  )
  select array_agg(row(r.id, v_now)::invite.job_request), array_agg(distinct r.batch_id) into v_job_requests, v_batches
  from retried as r;

  perform from invite.batches as b where b.id = any (v_batches) and b.content_rejections > 0 order by b.id for no key update;
  update invite.batches as b set content_rejections = 0, rejected_kind = null where b.id = any (v_batches) and b.content_rejections > 0;

  select count(*) into v_left_alone
  from invite.messages as m
  where m.invitation_id = any (retry_invitations.invitation_ids) and m.status::text = 'failed';

  perform invite.queue_sends(v_job_requests);
  return row(coalesce(cardinality(v_job_requests), 0), v_left_alone, null)::invite.retry_result;
end
$$;
comment on function invite.retry_invitations(bigint[], timestamptz) is
  'Queues the failed ones among the given invitations again, unless their recipient has responded, or they were cancelled or erased.';
