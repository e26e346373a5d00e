/*
 * Claims due messages for one worker, in four steps:
 *   1. the surveys that are held are locked (lock_held_surveys)
 *   2. the messages are locked, and judged by departure_reason
 *   3. caps give places to those that may leave (take_places), and the relay says how many of those that may leave it takes now (admit_sends)
 *   4. each verdict is written, and what is to be sent is returned:
 *        responded -> answered, suppressed -> suppressed, content_rejected -> failed, held -> waiting, ready -> sending, resting,
 *        outside_hours and capped -> queued (defer_messages), all others -> skipped, or failed as unconfirmed if the email may have left
 * If the relay takes only some, the first of invitation_ids: the worker has put the workspaces in turn there.
 * Nothing is said of the others: what the relay can't take now, or somebody else has locked, stays queued, for put_off_invitations.
 *
 * test: whether it is a step of a test clock. Nothing else claims what is in a test workspace, so none of it reaches a relay.
 *
 * Locks: the worker's row (for key share: recover_workers cannot give it up meanwhile); as lock_held_surveys; the messages, by invitation
 * (for no key update, skip locked), with the addresses that may rest, as claim_wait; the caps, as take_places; the batches, as
 * defer_messages; the relay. A response
 * that commits after the look at the invitation has ended the message, so it isn't claimed.
 * Raises: 55000 if the worker was declared lost and must register again.
 * Pins: lookup plan, generic plan, opaque column (status::text keeps the partial index on queued rows out: 4 ms instead of 14 ms a chunk with 10,000
 * queued, and it grows with them).
 *
 * The race that matters: an activation commits between the look at the surveys and the write of waiting; its requeueing misses these
 * rows, and they wait forever. Hence the share locks and second look of lock_held_surveys.
 */
create or replace function invite.claim_invitations(
  invitation_ids bigint[], worker_id uuid, at timestamptz default null, claim_id uuid default null,
  test boolean default false
) returns setof invite.claimed_invitation
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now constant timestamptz := invite.clock(claim_invitations.at);
  v_claim_id constant uuid := coalesce(claim_invitations.claim_id, gen_random_uuid());
  v_worker invite.workers;
  v_sending invite.sending;
  v_held text[];
  v_busy text[];
  v_rules invite.survey_rules[];
  v_due invite.due_message[];
  v_later invite.due_message[];
  v_ready bigint[];
  v_admission invite.admission;
begin
  select w.* into v_worker from invite.workers as w where w.id = claim_invitations.worker_id for key share;
  if not found then
    raise exception 'worker % is not registered', claim_invitations.worker_id using errcode = '55000';
  end if;
  v_sending.is_alive := true;

  select l.held, l.busy into v_held, v_busy from invite.lock_held_surveys(claim_invitations.invitation_ids) as l;
  v_rules := invite.rules_of_surveys(claim_invitations.invitation_ids, v_worker.late_send_hours);
  v_due := array(
    select row(
      m.invitation_id, m.number,
      invite.departure_reason(
        m, i.responded_at,
        exists (select from invite.suppressions as p where p.workspace_id = i.workspace_id and p.email = lower(i.email)),
        c.declined, b.rejected_kind, m.survey_id = any (v_held), c.deadline, c.wait, v_sending, v_now),
      (c.wait).until, m.unconfirmed_since is not null, i.batch_id, i.secret, i.email, i.name, i.language, c.deadline, null)::invite.due_message
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    join invite.batches as b on b.id = i.batch_id
    left join lateral (
      select
        invite.message_deadline(r, m) as deadline,
        invite.claim_wait(r, m, i.email, b.trigger_token_id, array[i.time_zone, b.time_zone], v_now) as wait,
        invite.has_declined(r, i.email) as declined
      from unnest(v_rules) as r
      where v_rules is not null and r.survey_id = m.survey_id
      offset 0
    ) as c on true
    where m.invitation_id = any (claim_invitations.invitation_ids)
      and m.status::text = 'queued'
      and m.not_before <= v_now
      and invite.is_test(m.invitation_id) = claim_invitations.test
      and m.survey_id <> all (v_busy)
    order by m.invitation_id
    for no key update of m skip locked
  );
  if v_rules is not null then
    if true = any (select r.has_caps from unnest(v_rules) as r) then
      v_due := invite.take_places(v_due, v_now);
    end if;
    v_later := array(select d from unnest(v_due) as d where d.reason in ('resting', 'outside_hours', 'capped'));
    if v_later <> '{}' then
      perform invite.defer_messages(v_later, v_now);
      v_due := array(select d from unnest(v_due) as d where d.reason not in ('resting', 'outside_hours', 'capped'));
    end if;
  end if;
  v_ready := array(select d.id from unnest(v_due) as d where d.reason = 'ready');
  if v_worker.relay is not null and v_ready <> '{}' and not claim_invitations.test then
    v_admission := invite.admit_sends(v_worker.relay, cardinality(v_ready), v_worker.rate, claim_invitations.at, v_ready);
    if v_admission.allowed < cardinality(v_ready) then
      v_ready := array(
        select d.id
        from unnest(v_due) as d
        where d.reason = 'ready' and d.id = coalesce(v_admission.probe_id, d.id)
        order by array_position(claim_invitations.invitation_ids, d.id)
        limit v_admission.allowed);
      perform invite.return_places(array(select d from unnest(v_due) as d where d.has_place is not null and d.reason = 'ready' and d.id <> all (v_ready)), v_now);
      v_due := array(select d from unnest(v_due) as d where d.reason <> 'ready' or d.id = any (v_ready));
    end if;
  end if;

  return query
  with decided as (
    update invite.messages as m
    set
      status = d.next_status,
      rule = case when d.next_status = 'skipped' then d.reason end,
      not_before = case when d.next_status in ('sending', 'waiting') then m.not_before end,
      sweep_at = null,
      attempts = m.attempts + (d.next_status = 'sending')::integer,
      claim_id = case when d.next_status = 'sending' then v_claim_id end,
      worker_id = case when d.next_status = 'sending' then v_worker.id end,
      failed_at = case when d.next_status in ('suppressed', 'failed') then v_now else m.failed_at end,
      skipped_at = case when d.next_status in ('answered', 'skipped') then v_now end,
      last_error_code = case
        when d.reason in ('suppressed', 'content_rejected') then d.reason::text
        when d.next_status = 'failed' then 'unconfirmed'
        else m.last_error_code
      end,
      last_error = case
        when d.reason = 'suppressed' then 'This address is suppressed in the workspace.'
        when d.reason = 'content_rejected' then invite.content_rejected_in_words()
        when d.next_status = 'failed' then invite.unconfirmed_in_words()
        else m.last_error
      end
    from (
      select
        d.*,
        case
          when d.reason = 'ready' then 'sending'::invite.message_status
          when d.reason = 'held' then 'waiting'
          when d.reason = 'responded' then 'answered'
          when d.reason = 'suppressed' then 'suppressed'
          when d.reason = 'content_rejected' or d.is_unconfirmed then 'failed'
          else 'skipped'
        end as next_status
      from unnest(v_due) as d
    ) as d
    where m.invitation_id = d.id and m.number = d.number
    returning
      d.id, d.batch_id, d.secret, d.email, d.name, d.language, m.status, m.claim_id, m.message_kind, m.number as message_number, m.attempts, m.unconfirmed_since
  ),
  complete as materialized (
    select s.id as survey_id, invite.page_languages(s) as languages
    from (select distinct b.survey_id from decided as i join invite.batches as b on b.id = i.batch_id where i.status = 'sending') as k
    join invite.surveys as s on s.id = k.survey_id
    where s.translations is not null
  ),
  -- Once for each language of a survey: doing it for each email would cost a third of its delivery.
  pages as materialized (
    select k.survey_id, k.language, k.request_language, invite.page_translation(s, k.language, k.request_language, l.languages) as translation
    from (
      select distinct b.survey_id, i.language, b.language as request_language
      from decided as i
      join invite.batches as b on b.id = i.batch_id
      where i.status = 'sending' and num_nonnulls(i.language, b.language) > 0
    ) as k
    join invite.surveys as s on s.id = k.survey_id
    left join complete as l on l.survey_id = k.survey_id
  ),
  -- A batch's translations are long: they are read once for each language of its recipients, and never compared.
  offered as materialized (
    select k.batch_id, k.language, b.language as request_language, s.language as survey_language, array(select jsonb_object_keys(b.translations)) as tags
    from (select distinct i.batch_id, i.language from decided as i where i.status = 'sending') as k
    join invite.batches as b on b.id = k.batch_id
    join invite.surveys as s on s.id = b.survey_id
    where b.translations is not null and num_nonnulls(k.language, b.language) > 0
  ),
  nearest as materialized (
    select k.*, invite.nearest_language(array[k.language, k.request_language], k.tags, k.survey_language) as tag
    from (select distinct o.tags, o.language, o.request_language, o.survey_language from offered as o) as k
  ),
  texts as materialized (
    select o.batch_id, o.language, jsonb_build_object('language', n.tag) || (b.translations -> n.tag) as translation
    from offered as o
    join nearest as n
      on n.language is not distinct from o.language and n.request_language is not distinct from o.request_language and n.survey_language = o.survey_language
      and n.tags = o.tags
    join invite.batches as b on b.id = o.batch_id
    where n.tag <> o.survey_language
  )
  -- The texts are looked up only now: each step above would copy them.
  select
    i.id, i.claim_id, i.message_kind, i.message_number, i.attempts, i.email, i.name, invite.link_text(i.id, i.secret, w),
    i.batch_id, b.subject, b.message, s.id,
    s.title, p.translation, s.public_url, w.name,
    case when i.message_kind = 'reminder' then b.reminder_subject end,
    case when i.message_kind = 'reminder' then b.reminder_message end,
    invite.sender_of(w.sender, b.sender), i.language, b.language, s.language, b.subject_language, b.message_language,
    x.translation,
    i.unconfirmed_since,
    case when b.question_in_email then invite.email_question(s, p.translation ->> 'language') end, w.wording
  from decided as i
  join invite.batches as b on b.id = i.batch_id
  join invite.surveys as s on s.id = b.survey_id
  join invite.workspaces as w on w.id = b.workspace_id
  left join pages as p
    on p.survey_id = s.id and p.language is not distinct from i.language and p.request_language is not distinct from b.language
  left join texts as x on x.batch_id = i.batch_id and x.language is not distinct from i.language
  where i.status = 'sending'
  order by i.id;
end
$$;
comment on function invite.claim_invitations(bigint[], uuid, timestamptz, uuid, boolean) is
  'Claims due messages for a worker and returns what is needed to send them; ends those that are never to be sent, and holds those whose survey is held.';
