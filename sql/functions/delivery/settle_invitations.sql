/*
 * Records what became of claimed messages, and queues what comes next: a reminder, or another attempt.
 *
 * results: [{"id", "claim_id", "outcome", "code"?, "detail"?, "relay_message_id"?, "retry_after_seconds"?}], where outcome is
 *   accepted    the relay has the message
 *   retry       certainly not sent; try again later. With retry_after_seconds no attempt is counted
 *   unknown     may have been sent; try again with the same Message-ID and idempotency key
 *   unconfirmed may have been sent, and must not be sent twice: fails, until a person or a relay event says more
 *   config      the relay is misconfigured, not the message: try again later, no attempt is counted
 *   released    not tried (the worker is stopping): due again at once, no attempt is counted
 *   suppressed  the relay will not email this address: suppressed in the workspace too, so that the relay isn't asked again
 *   rejected    the relay will never take this message; see reject_batches
 * After max_attempts, retry and unknown fail as gave_up.
 *
 * Only the claim that holds a row settles it: a worker that was declared lost changes nothing when it wakes up. Nothing follows if the
 * recipient has responded, the address has bounced, or the invitation was cancelled while it was being sent.
 *
 * Locks: the messages, by invitation (for no key update, skip locked), by a statement of its own: the next one sees responses that were
 * committed before the lock, and a later response waits for it; inserts suppressions in the order of their key; then as
 * reject_batches, and the relay. Pins: lookup plan, generic plan.
 */
create or replace function invite.settle_invitations(
  results jsonb, max_attempts integer default invite.max_attempts(), at timestamptz default null, relay text default null,
  out settled integer, out locked bigint[], out relay_change jsonb
)
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(settle_invitations.at);
  v_held invite.settlement[];
  v_job_requests invite.job_request[];
  v_verdicts jsonb;
  v_rejected_workspaces text[];
begin
  v_held := array(
    select row(
      m.invitation_id, m.number, m.attempts, m.message_kind, r.outcome, m.not_before, m.cancelled_at, r.code, r.detail, r.relay_message_id,
      r.retry_after_seconds)::invite.settlement
    from jsonb_to_recordset(settle_invitations.results) as r (
      id bigint, claim_id uuid, outcome invite.delivery_outcome, code text, detail text, relay_message_id text, retry_after_seconds integer)
    join invite.messages as m on m.invitation_id = r.id and m.claim_id = r.claim_id
    order by m.invitation_id
    for no key update of m skip locked
  );
  with held as (
    select r.*, i.email, i.responded_at, i.bounced_at, i.batch_id, i.workspace_id, b.reminders, b.content_rejections,
      invite.is_content_rejection(r.outcome::text, r.code) as content_rejected,
      r.outcome = 'retry' and r.retry_after_seconds is not null as pauses
    from unnest(v_held) as r
    join invite.invitations as i on i.id = r.id
    join invite.batches as b on b.id = i.batch_id
  ),
  decided as (
    select h.*,
      case
        when h.outcome = 'accepted' and h.responded_at is null and h.bounced_at is null and h.cancelled_at is null then
          invite.next_reminder_at(
            h.reminders, h.number,
            case h.number
              when 0 then v_now
              else (select f.sent_at from invite.messages as f where f.invitation_id = h.id and f.number = 0)
            end,
            v_now)
      end as reminder_at,
      case
        when h.outcome = 'accepted' then 'sent'::invite.message_status
        when h.responded_at is not null then 'answered'
        when h.outcome = 'suppressed' then 'suppressed'
        when h.outcome = 'rejected' then 'failed'
        when h.cancelled_at is not null then 'cancelled'
        when h.outcome = 'unconfirmed' then 'failed'
        when h.outcome in ('retry', 'unknown') and not h.pauses and h.attempts >= settle_invitations.max_attempts then 'failed'
        else 'queued'
      end as next_status,
      case
        when h.outcome = 'released' then h.not_before
        -- To the second: what failed together shares jobs.
        else date_trunc('second', v_now + invite.retry_delay(h.attempts, h.retry_after_seconds)) + interval '1 second'
      end as next_look_at
    from held as h
  ),
  settled as (
    update invite.messages as m
    set
      status = d.next_status,
      is_last = d.reminder_at is null,
      not_before = case when d.next_status = 'queued' then d.next_look_at end,
      sweep_at = case when d.next_status = 'queued' then greatest(d.next_look_at, v_now) + invite.job_grace() end,
      attempts = case when d.outcome in ('released', 'config') or d.pauses then greatest(m.attempts - 1, 0) else m.attempts end,
      claim_id = null,
      worker_id = null,
      sent_at = case when d.outcome = 'accepted' then v_now end,
      failed_at = case when d.next_status in ('failed', 'suppressed') then v_now else m.failed_at end,
      skipped_at = case when d.next_status = 'answered' then v_now end,
      last_error_code = case
        when d.outcome = 'accepted' then null
        when d.outcome in ('retry', 'unknown') and d.next_status = 'failed' then 'gave_up'
        when d.outcome = 'unconfirmed' and d.next_status = 'failed' then 'unconfirmed'
        else coalesce(d.code, m.last_error_code)
      end,
      last_error = case
        when d.outcome = 'accepted' then null
        when d.outcome = 'unconfirmed' and d.next_status = 'failed' then
          concat_ws(' ', invite.unconfirmed_in_words(), d.detail)
        else coalesce(d.detail, m.last_error)
      end,
      unconfirmed_since = case
        when d.outcome in ('unknown', 'unconfirmed') then coalesce(m.unconfirmed_since, v_now)
        when d.outcome <> 'accepted' then m.unconfirmed_since
      end,
      relay_message_id = coalesce(d.relay_message_id, m.relay_message_id)
    from decided as d
    where m.invitation_id = d.id and m.number = d.number
    returning
      d.id, m.number, m.status, m.not_before, m.survey_id, m.records_events, d.batch_id, d.responded_at, d.bounced_at, d.outcome, d.message_kind,
      d.reminder_at
  ),
  reminded as (
    insert into invite.messages (invitation_id, number, survey_id, due_at, not_before, sweep_at, records_events)
    select s.id, s.number + 1, s.survey_id, s.reminder_at, s.reminder_at, s.reminder_at - interval '1 minute', s.records_events
    from settled as s
    where s.reminder_at is not null
    order by s.id
  ),
  counted as (
    insert into invite.result_changes (survey_id, starts_at, question, value, number)
    select n.survey_id, date_bin('15 minutes', v_now, '2000-01-01 00:00Z'), '', v.value, v.number
    from (
      select
        s.survey_id,
        count(*) filter (where s.message_kind = 'invitation') as sent,
        count(s.responded_at) filter (where s.message_kind = 'invitation') as responded,
        count(s.bounced_at) filter (where s.message_kind = 'invitation' and s.responded_at is null) as bounced,
        count(*) filter (where s.message_kind = 'reminder') as reminded
      from settled as s
      where s.outcome = 'accepted'
      group by s.survey_id
    ) as n
    cross join lateral (
      values ('sent', n.sent), ('responded', n.responded), ('bounced', n.bounced), ('reminded', n.reminded)
    ) as v (value, number)
    where v.number > 0
  ),
  recorded as (
    insert into invite.new_events (type, at, survey_id, batch_id, invitation_id, message_kind)
    select
      case s.message_kind when 'invitation' then 'invitation.sent' else 'invitation.reminded' end::invite.event_type,
      v_now, s.survey_id, s.batch_id, s.id, s.message_kind
    from settled as s
    where s.outcome = 'accepted' and s.records_events
    order by s.id
  ),
  suppressed as (
    insert into invite.suppressions (workspace_id, email, reason)
    select distinct h.workspace_id, lower(h.email), 'hard_bounce'::invite.suppression_reason
    from held as h
    where h.outcome = 'suppressed'
    order by 1, 2
    on conflict on constraint suppressions_pkey do nothing
  )
  select
    count(*),
    -- Not the reminders: the sweep makes their jobs when they are near. A million must not sit in the jobs table.
    array_agg(row(s.id, s.not_before)::invite.job_request) filter (where s.status = 'queued'),
    (
      select jsonb_agg(jsonb_build_object(
        'batch_id', h.batch_id, 'message_kind', h.message_kind, 'accepted', h.outcome = 'accepted', 'code', h.code))
      from held as h
      where h.content_rejected or h.outcome = 'accepted' and h.content_rejections > 0
    ),
    (select array_agg(h.workspace_id) from held as h where h.content_rejected)
  into settle_invitations.settled, v_job_requests, v_verdicts, v_rejected_workspaces
  from settled as s;

  if v_verdicts is not null then
    perform invite.reject_batches(v_verdicts, v_now);
  end if;
  if v_job_requests is not null then
    perform invite.queue_sends(v_job_requests);
  end if;
  locked := '{}';
  if settle_invitations.settled < jsonb_array_length(settle_invitations.results) then
    locked := array(
      select m.invitation_id
      from jsonb_to_recordset(settle_invitations.results) as r (id bigint, claim_id uuid)
      join invite.messages as m on m.invitation_id = r.id and m.claim_id = r.claim_id
    );
  end if;
  if settle_invitations.relay is not null then
    relay_change := invite.record_relay_outcomes(
      settle_invitations.relay,
      case when locked = '{}' then settle_invitations.results else (
        select jsonb_agg(r) from jsonb_array_elements(settle_invitations.results) as r where (r ->> 'id')::bigint <> all (locked)
      ) end,
      v_now,
      coalesce(v_rejected_workspaces, '{}'));
  end if;
end
$$;
comment on function invite.settle_invitations(jsonb, integer, timestamptz, text) is
  'Records the outcomes of claimed messages and queues what comes next. Returns how many it settled, the ids to settle again because somebody else has locked them, and a change of the relay''s condition.';
