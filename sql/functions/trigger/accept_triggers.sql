/*
 * Accepts each request as one batch with its invitations and their jobs, or rejects it. One call, one transaction, carries all that a
 * server process has been asked meanwhile: they share the round trip, the commit and the notification, which cost more than the rows
 * (docs/performance.md).
 *
 * requests: [{"secret_hash", "recipients": [{"email", "name"?, "metadata"?}], "subject"?, "message"?, "reminder_days"?, "metadata"?,
 *   "send_in_seconds"?, "send_at"?, "idempotency_key"?, "payload_hash"?}]; hashes as "\x…". The caller has checked them: recipients are
 *     folded, at least one.
 * wait: whether to wait for a locked token or survey. Otherwise its request has no result, and must be asked again. Of several requests
 * of one token, only the first is sure of a result.
 * defer: whether the caller gives batches that are due now to queue_accepted, instead of queueing them here.
 *
 * Rejections are returned, never raised. A rejected or replayed request changes nothing; an accepted one only inserts rows. Pins:
 * lookup plan, generic plan.
 *
 * Locks: the tokens, by id if it waits (for no key update), each with its survey (for key share, as the foreign keys of its rows
 * would); the workspaces' quotas by id (advisory). The clock and the tokens are read after the locks: another request may have been
 * accepted before. What is then neither locked nor rejected is another caller's at this moment, and has no result.
 */
create or replace function invite.accept_triggers(
  requests jsonb, recipients_per_hour integer default 10000, wait boolean default false, at timestamptz default null,
  defer boolean default false
) returns setof invite.trigger_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_bitmapscan = off set enable_material = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := coalesce(invite.owner_time(accept_triggers.at), clock_timestamp());
  v_locked integer[];
  v_workspaces text[];
  v_checks invite.trigger_check[];
  v_results invite.trigger_result[];
  v_job_requests invite.job_request[];
begin
  if accept_triggers.wait then
    perform
    from invite.trigger_tokens as t
    join invite.surveys as s on s.id = t.survey_id
    where t.secret_hash in (select (n.request ->> 'secret_hash')::bytea from jsonb_array_elements(accept_triggers.requests) as n (request))
      and not exists (select from invite.cooldown_end(t, v_now))
    order by t.id
    for no key update of t
    for key share of s;
    v_now := coalesce(invite.owner_time(accept_triggers.at), clock_timestamp());
  end if;

  select array_agg(f.request), array_agg(distinct f.workspace_id)
  into v_locked, v_workspaces
  from (
    select distinct on (l.token_id) (n.number - 1)::integer as request, l.workspace_id
    from jsonb_array_elements(accept_triggers.requests) with ordinality as n (request, number)
    cross join lateral (
      select t.id as token_id, s.workspace_id
      from invite.trigger_tokens as t
      join invite.surveys as s on s.id = t.survey_id
      -- Repeated requests during a cooldown cost no lock.
      where t.secret_hash = (n.request ->> 'secret_hash')::bytea and not exists (select from invite.cooldown_end(t, v_now))
      for no key update of t skip locked
      for key share of s skip locked
    ) as l
    order by l.token_id, n.number
  ) as f;
  perform pg_advisory_xact_lock(hashtextextended('invite.quota/' || w.id, 0)) from unnest(v_workspaces) as w (id);
  v_now := coalesce(invite.owner_time(accept_triggers.at), clock_timestamp());

  v_checks := invite.check_triggers(
    accept_triggers.requests, v_locked, invite.allowed_quota(accept_triggers.recipients_per_hour), v_now);
  return query select (c.result).* from unnest(v_checks) as c where (c.result).outcome is not null;

  with accepted as (
    select
      c.request, c.survey_id, c.workspace_id, c.recipients as recipient_count, c.workspace_total, c.records_events, t.id as token_id,
      invite.uuidv7(v_now) as batch_id,
      coalesce(r.subject, t.default_subject) as subject,
      coalesce(r.message, t.default_message) as message,
      coalesce(r.reminder_days, t.default_reminder_days) as reminder_days,
      t.default_reminder_subject as reminder_subject, t.default_reminder_message as reminder_message, t.sender,
      r.metadata, r.recipients, r.idempotency_key, r.payload_hash,
      coalesce(r.send_at, v_now + coalesce(r.send_in_seconds, 0) * interval '1 second') as due_at
    from unnest(v_checks) as c
    join invite.trigger_tokens as t on t.id = c.token_id
    cross join lateral jsonb_to_record(accept_triggers.requests -> c.request) as r (
      recipients jsonb, subject text, message text, reminder_days integer, metadata jsonb, send_in_seconds integer, send_at timestamptz,
      idempotency_key text, payload_hash bytea)
    where (c.result).outcome is null
  ),
  batch as (
    insert into invite.batches (
      id, workspace_id, survey_id, trigger_token_id, subject, message, reminder_days, reminder_subject, reminder_message,
      sender, metadata, recipients, workspace_total, scheduled_at, accepted_at, records_events
    )
    select
      a.batch_id, a.workspace_id, a.survey_id, a.token_id, a.subject, a.message, a.reminder_days, a.reminder_subject, a.reminder_message,
      a.sender, a.metadata, a.recipient_count, a.workspace_total, a.due_at, v_now, a.records_events
    from accepted as a
  ),
  -- What is replaced has expired.
  keyed as (
    insert into invite.idempotency_keys as k (trigger_token_id, key, payload_hash, batch_id, created_at)
    select a.token_id, a.idempotency_key, a.payload_hash, a.batch_id, v_now
    from accepted as a
    where a.idempotency_key is not null
    on conflict on constraint idempotency_keys_pkey
    do update set payload_hash = excluded.payload_hash, batch_id = excluded.batch_id, created_at = excluded.created_at
  ),
  invited as (
    insert into invite.invitations (batch_id, survey_id, email, name, metadata, due_at, sweep_at, records_events)
    select
      a.batch_id, a.survey_id, r.email, r.name, r.metadata, a.due_at,
      case when accept_triggers.defer and a.due_at <= v_now then v_now + interval '30 seconds' else a.due_at + invite.job_grace() end,
      a.records_events
    from accepted as a
    cross join lateral jsonb_to_recordset(a.recipients) as r (email text, name text, metadata jsonb)
    returning id, due_at
  )
  select
    (
      select array_agg(row(i.id, i.due_at)::invite.job_request)
      from invited as i
      where not accept_triggers.defer or i.due_at > v_now
    ),
    (
      select array_agg(
        row(
          'accepted', null, a.batch_id, a.due_at, case when a.due_at > v_now then 'scheduled' else 'queued' end, false,
          accept_triggers.defer and a.due_at <= v_now, a.request
        )::invite.trigger_result)
      from accepted as a
    )
  into v_job_requests, v_results;

  if v_job_requests is not null then
    perform invite.queue_sends(v_job_requests);
  end if;
  return query select * from unnest(v_results);
end
$$;
comment on function invite.accept_triggers(jsonb, integer, boolean, timestamptz, boolean) is
  'Accepts or rejects trigger requests, each by itself; results in no order, by their number. See check_triggers for the order of rejections.';
