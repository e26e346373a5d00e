/*
 * Claims due messages for one worker. Here it is decided whether a message is sent:
 *   the recipient has responded            -> skipped
 *   the address is suppressed              -> suppressed
 *   the relay rejects this batch's text    -> failed, as content_rejected (reject_batches)
 *   its survey is held                     -> waiting
 *   otherwise                              -> sending, and returned
 * What is overdue by more than late_send_hours (null: no limit) fails as too_late: a restored dump must not email everyone. If the
 * relay takes only some, the first of invitation_ids: the worker has put the workspaces in turn there.
 * What a paused relay cannot take now, or somebody else has locked, stays queued and gets another job. What only the rate turns down gets
 * none: it is returned as an id without a claim, and the worker keeps it. Everything else is skipped.
 *
 * Locks: the worker's row (for key share: recover_workers cannot give it up meanwhile); as lock_held_surveys; the messages, by invitation
 * (for no key update, skip locked). A response that commits after the look at the invitation has ended the message, so it isn't claimed.
 * Raises: 55000 if the worker was declared lost and must register again.
 * Pins: lookup plan, generic plan, opaque column (status::text keeps the partial index on queued rows out: 4 ms instead of 14 ms a chunk with 10,000
 * queued, and it grows with them).
 *
 * The race that matters: an activation commits between the look at the surveys and the write of waiting; its requeueing misses these
 * rows, and they wait forever. Hence the share locks and second look of lock_held_surveys.
 */
create or replace function invite.claim_invitations(
  invitation_ids bigint[], worker_id uuid, at timestamptz default null,
  relay text default null, rate numeric default null, claim_id uuid default null,
  late_send_hours integer default null
) returns setof invite.claimed_invitation
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := coalesce(claim_invitations.at, clock_timestamp());
  v_claim_id uuid := coalesce(claim_invitations.claim_id, gen_random_uuid());
  v_settings invite.settings;
  v_held text[];
  v_busy text[];
  v_sendable bigint[] := claim_invitations.invitation_ids;
  v_wanted integer;
  v_late integer;
  v_admission invite.admission;
  v_claimed integer;
begin
  perform from invite.workers as w where w.id = claim_invitations.worker_id for key share;
  if not found then
    raise exception 'worker % is not registered', claim_invitations.worker_id using errcode = '55000';
  end if;

  select l.held, l.busy into v_held, v_busy from invite.lock_held_surveys(claim_invitations.invitation_ids) as l;
  if v_held <> '{}' or v_busy <> '{}' then
    v_sendable := array(
      select m.invitation_id
      from invite.messages as m
      where m.invitation_id = any (claim_invitations.invitation_ids) and m.is_last and m.survey_id <> all (v_held || v_busy)
    );
  end if;
  v_wanted := cardinality(v_sendable);
  select g.* into v_settings from invite.settings as g;

  -- Before admit_sends: what is not sent needs no place, and must not be the probe.
  if claim_invitations.late_send_hours is not null then
    with late as (
      select m.invitation_id, m.number
      from invite.messages as m
      join invite.invitations as i on i.id = m.invitation_id
      where m.invitation_id = any (claim_invitations.invitation_ids)
        and m.survey_id <> all (v_held || v_busy)
        and m.status::text = 'queued'
        and i.responded_at is null
        and m.not_before < v_now - claim_invitations.late_send_hours * interval '1 hour'
      order by m.invitation_id
      for no key update of m skip locked
    )
    update invite.messages as m
    set status = 'failed', not_before = null, sweep_at = null, failed_at = v_now, last_error_code = 'too_late',
      last_error = format('It was due for more than %s hours (LATE_SEND_HOURS), and was not sent.', claim_invitations.late_send_hours)
    from late as l
    where m.invitation_id = l.invitation_id and m.number = l.number;
    get diagnostics v_late = row_count;
    v_wanted := v_wanted - v_late;
  end if;

  if claim_invitations.relay is not null and v_wanted > 0 then
    v_admission := invite.admit_sends(
      claim_invitations.relay, v_wanted, claim_invitations.rate, claim_invitations.at, v_sendable);
  end if;

  return query
  with due as (
    select
      m.invitation_id as id, m.number, i.batch_id, i.secret, i.email, i.name, i.language,
      case
        when i.responded_at is not null then 'skipped'::invite.message_status
        when exists (
          select from invite.suppressions as p where p.workspace_id = i.workspace_id and p.email = lower(i.email)
        ) then 'suppressed'
        when b.rejected_kind = m.message_kind then 'failed'
        when m.survey_id = any (v_held) then 'waiting'
        else 'sending'
      end as next_status
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    join invite.batches as b on b.id = i.batch_id
    where m.invitation_id = any (claim_invitations.invitation_ids)
      and m.status::text = 'queued'
      and m.not_before <= v_now
      and m.survey_id <> all (v_busy)
    order by m.invitation_id
    for no key update of m skip locked
  ),
  placed as (
    select d.*, row_number() over (
      partition by d.next_status
      order by case when v_admission.allowed < v_wanted then array_position(claim_invitations.invitation_ids, d.id) end
    ) as place
    from due as d
  ),
  decided as (
    update invite.messages as m
    set
      status = d.next_status,
      not_before = case when d.next_status in ('sending', 'waiting') then m.not_before end,
      sweep_at = null,
      attempts = m.attempts + (d.next_status = 'sending')::integer,
      claim_id = case when d.next_status = 'sending' then v_claim_id end,
      worker_id = case when d.next_status = 'sending' then claim_invitations.worker_id end,
      failed_at = case when d.next_status in ('suppressed', 'failed') then v_now else m.failed_at end,
      skipped_at = case when d.next_status = 'skipped' then v_now end,
      last_error_code = case d.next_status when 'suppressed' then 'suppressed' when 'failed' then 'content_rejected' else m.last_error_code end,
      last_error = case d.next_status
        when 'suppressed' then 'This address is suppressed in the workspace.'
        when 'failed' then invite.content_rejected_in_words()
        else m.last_error
      end
    from placed as d
    where m.invitation_id = d.id and m.number = d.number and (
      d.next_status <> 'sending'
      or v_admission.allowed is null
      or v_admission.probe_id is null and d.place <= v_admission.allowed
      or d.id = v_admission.probe_id and v_admission.allowed > 0
    )
    returning
      d.id, d.batch_id, d.secret, d.email, d.name, d.language, m.status, m.claim_id, m.message_kind, m.attempts, m.unconfirmed_since
  ),
  -- Once for each language of a survey: doing it for each email would cost a third of its delivery.
  pages as materialized (
    select k.survey_id, k.language, k.request_language, invite.page_translation(s, k.language, k.request_language) as translation
    from (
      select distinct b.survey_id, i.language, b.language as request_language
      from decided as i
      join invite.batches as b on b.id = i.batch_id
      where i.status = 'sending' and num_nonnulls(i.language, b.language) > 0
    ) as k
    join invite.surveys as s on s.id = k.survey_id
  )
  -- The texts are looked up only now: each step above would copy them.
  select
    i.id, i.claim_id, i.message_kind, i.attempts, i.email, i.name, invite.link_text(i.id, i.secret, v_settings),
    i.batch_id, b.subject, b.message, s.id,
    s.title, p.translation, s.public_url, w.name,
    case when i.message_kind = 'reminder' then b.reminder_subject end,
    case when i.message_kind = 'reminder' then b.reminder_message end,
    invite.sender_of(w.sender, b.sender), i.language, b.language, s.language, b.subject_language, b.message_language,
    case when b.translations is not null then
      invite.nearest_translation(b.translations, i.language, b.language, s.language)
    end,
    i.unconfirmed_since
  from decided as i
  join invite.batches as b on b.id = i.batch_id
  join invite.surveys as s on s.id = b.survey_id
  join invite.workspaces as w on w.id = b.workspace_id
  left join pages as p
    on p.survey_id = s.id and p.language is not distinct from i.language and p.request_language is not distinct from b.language
  where i.status = 'sending'
  order by i.id;
  get diagnostics v_claimed = row_count;
  if v_claimed = cardinality(claim_invitations.invitation_ids) then
    return;
  end if;

  if v_admission.allowed < v_wanted and v_admission.again_at is null then
    return query
    select (jsonb_populate_record(null::invite.claimed_invitation, jsonb_build_object('id', m.invitation_id))).*
    from invite.messages as m
    where m.invitation_id = any (claim_invitations.invitation_ids) and m.status::text = 'queued' and m.not_before <= v_now;
    return;
  end if;

  -- Held back by the relay, or locked: this job must not be its last. A lock is asked for again after 2 to 30 seconds, the later the longer
  -- it lasts.
  perform invite.queue_sends(
    array_agg(row(m.invitation_id, case
      when v_admission.allowed < v_wanted then v_admission.again_at
      else v_now + least(greatest((v_now - m.first_due_at) / 4, interval '2 seconds'), interval '30 seconds')
    end)::invite.job_request))
  from (
    select o.invitation_id, min(o.not_before) over () as first_due_at
    from invite.messages as o
    where o.invitation_id = any (claim_invitations.invitation_ids) and o.status::text = 'queued' and o.not_before <= v_now
  ) as m;
end
$$;
comment on function invite.claim_invitations(bigint[], uuid, timestamptz, text, numeric, uuid, integer) is
  'Claims due messages for a worker and returns what is needed to send them; holds as waiting those whose survey is held.';
