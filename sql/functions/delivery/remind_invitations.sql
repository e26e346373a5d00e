/*
 * The next reminder is due now: the one that is queued for later, or one more number. The list of the batch goes on after it (settle_invitations).
 * Survey, rules and what the recipient chose are left to the claim. Pins: lookup plan.
 *
 * Locks: the messages, by invitation (for no key update); the clock is read after it. The rest are statements of their own, as in
 * cancel_invitations: of two calls at once, the second finds that the reminder is due.
 */
create or replace function invite.remind_invitations(invitation_ids bigint[], at timestamptz) returns invite.remind_result
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz;
  v_remindable bigint[];
  v_job_requests invite.job_request[];
begin
  v_now := invite.lock_messages(remind_invitations.invitation_ids, remind_invitations.at);
  v_remindable := invite.remindable(remind_invitations.invitation_ids, v_now);

  with advanced as (
    update invite.messages as m
    set due_at = v_now, not_before = v_now, sweep_at = v_now + invite.job_grace(), rule = null
    where m.invitation_id = any (v_remindable) and m.is_last and m.status::text = 'queued'
    returning m.invitation_id
  ),
  followed as (
    update invite.messages as m
    set is_last = false
    where m.invitation_id = any (v_remindable) and m.is_last and m.status::text = 'sent'
    returning m.invitation_id, m.number, m.survey_id, m.records_events
  ),
  made as (
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at, records_events)
    select f.invitation_id, f.number + 1, f.survey_id, v_now, v_now, v_now + invite.job_grace(), f.records_events
    from followed as f
    returning invitation_id
  )
  select array_agg(row(r.invitation_id, v_now)::invite.job_request) into v_job_requests
  from (select a.invitation_id from advanced as a union all select d.invitation_id from made as d) as r;

  perform invite.queue_sends(v_job_requests);
  return row(
    coalesce(cardinality(v_job_requests), 0),
    cardinality(remind_invitations.invitation_ids) - coalesce(cardinality(v_job_requests), 0),
    null)::invite.remind_result;
end
$$;
comment on function invite.remind_invitations(bigint[], timestamptz) is
  'Makes the next reminder of the given invitations due now, for those that remindable names.';
