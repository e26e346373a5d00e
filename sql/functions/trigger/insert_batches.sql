/*
 * accept_triggers and trigger call this. The locks, plan settings and pins of accept_triggers also apply here.
 *
 * Returns an array, which costs the caller less than rows.
 *
 * counted: whether the caller has locked the quotas. Otherwise the batches get their totals after the commit: see count_batches.
 */
create or replace function invite.insert_batches(
  requests jsonb, checks invite.trigger_check[], at timestamptz, defer boolean, counted boolean default true
) returns invite.trigger_result[]
language plpgsql volatile
as $$
declare
  v_results invite.trigger_result[];
  v_job_requests invite.job_request[];
begin
  with accepted as (
    select
      c.request, c.survey_id, c.workspace_id, c.recipients as recipient_count, c.workspace_total, c.records_events, c.hold_reason, c.rules, c.is_test, t.id as token_id, t.ignores_rest,
      invite.uuidv7(insert_batches.at) as batch_id,
      coalesce(r.subject, t.default_subject) as subject,
      coalesce(r.message, t.default_message) as message,
      coalesce(r.reminders, t.default_reminders) as reminders,
      t.default_reminder_subject as reminder_subject, t.default_reminder_message as reminder_message,
      t.sender, t.question_in_email,
      case
        when t.translations is null or num_nonnulls(r.subject, r.message) = 0 then t.translations
        else invite.translations_without(
          t.translations, array[case when r.subject is not null then 'subject' end, case when r.message is not null then 'message' end])
      end as translations,
      r.language, case when r.subject is not null then r.language end as subject_language,
      case when r.message is not null then r.language end as message_language, r.time_zone, r.metadata, r.recipients,
      r.idempotency_key, r.payload_hash,
      coalesce(r.send_at, insert_batches.at + coalesce(r.send_in_seconds, 0) * interval '1 second') as due_at
    from unnest(insert_batches.checks) as c
    join invite.trigger_tokens as t on t.id = c.token_id
    cross join lateral jsonb_to_record(insert_batches.requests -> c.request) as r (
      recipients jsonb, subject text, message text, reminders smallint[], language text, time_zone text, metadata jsonb,
      send_in_seconds integer, send_at timestamptz, idempotency_key text, payload_hash bytea)
    where (c.result).outcome is null
  ),
  batch as (
    insert into invite.batches (
      id, workspace_id, survey_id, trigger_token_id, subject, message, reminders, reminder_subject, reminder_message,
      sender, translations, language, subject_language, message_language, time_zone, metadata, recipients, workspace_total, scheduled_at, accepted_at, question_in_email
    )
    select
      a.batch_id, a.workspace_id, a.survey_id, a.token_id, a.subject, a.message, a.reminders, a.reminder_subject, a.reminder_message,
      a.sender, a.translations, a.language, a.subject_language, a.message_language, a.time_zone, a.metadata, a.recipient_count,
      case when insert_batches.counted then a.workspace_total end, a.due_at, insert_batches.at, a.question_in_email
    from accepted as a
  ),
  -- A key that is replaced has expired.
  keyed as (
    insert into invite.idempotency_keys as k (trigger_token_id, key, payload_hash, batch_id, created_at)
    select a.token_id, a.idempotency_key, a.payload_hash, a.batch_id, insert_batches.at
    from accepted as a
    where a.idempotency_key is not null
    on conflict on constraint idempotency_keys_pkey
    do update set payload_hash = excluded.payload_hash, batch_id = excluded.batch_id, created_at = excluded.created_at
  ),
  invited as (
    insert into invite.invitations (id, batch_id, workspace_id, survey_id, email, name, language, time_zone, metadata)
    overriding system value
    select
      nextval(case when a.is_test then 'invite.test_invitation_ids' else 'invite.invitations_id_seq' end::regclass), a.batch_id, a.workspace_id, a.survey_id, r.email,
      regexp_replace(r.name, invite.direction_marks(), '', 'g'), r.language, r.time_zone, r.metadata
    from accepted as a
    cross join lateral jsonb_to_recordset(a.recipients) as r (email text, name text, language text, time_zone text, metadata jsonb)
    returning id, batch_id, workspace_id, email
  ),
  addressed as (
    insert into invite.addresses (workspace_id, email, invitation_id)
    select i.workspace_id, lower(i.email), i.id
    from invited as i
  ),
  queued as (
    insert into invite.messages (invitation_id, survey_id, due_at, not_before, sweep_at, records_events)
    select
      i.id, a.survey_id, a.due_at, a.due_at,
      case when insert_batches.defer and a.due_at <= insert_batches.at then insert_batches.at + interval '30 seconds' else a.due_at + invite.job_grace() end,
      a.records_events
    from invited as i
    join accepted as a on a.batch_id = i.batch_id
    returning invitation_id, not_before
  )
  select
    (
      select array_agg(row(m.invitation_id, m.not_before)::invite.job_request)
      from queued as m
      where not insert_batches.defer or m.not_before > insert_batches.at
    ),
    (
      select array_agg(
        row(
          'accepted', null, a.batch_id, a.due_at, case when a.due_at > insert_batches.at then 'scheduled' else 'queued' end, false,
          insert_batches.defer and a.due_at <= insert_batches.at, a.hold_reason,
          (
            select count(*)
            from jsonb_to_recordset(a.recipients) as r (email text)
            join invite.suppressions as p on p.workspace_id = a.workspace_id and p.email = lower(r.email)
          ),
          case when (a.rules).rest_days is not null and not a.ignores_rest then (
            select count(*)
            from jsonb_to_recordset(a.recipients) as r (email text)
            where exists (
              select
              from invite.addresses as x
              join invite.messages as m on m.invitation_id = x.invitation_id and m.number = 0
              where x.workspace_id = a.workspace_id and x.email = lower(r.email)
                and (greatest(m.sent_at, m.unconfirmed_since, m.failed_at) > insert_batches.at - (a.rules).rest_days * interval '24 hours'
                  and num_nonnulls(m.sent_at, m.unconfirmed_since) > 0 or m.status = 'sending')
            )
          ) end,
          case when (a.rules).survey_id is not null then (invite.deadline_of(a.rules, a.due_at)).at end,
          a.request, a.workspace_id, a.survey_id
        )::invite.trigger_result)
      from accepted as a
    )
  into v_job_requests, v_results;

  -- A separate statement: in the one above it would cost time even for workspaces that record no events.
  if true = any (select c.records_events from unnest(insert_batches.checks) as c) then
    insert into invite.new_events (type, at, survey_id, batch_id)
    select 'batch.accepted', insert_batches.at, c.survey_id, r.batch_id
    from unnest(v_results) as r
    join unnest(insert_batches.checks) as c on c.request = r.request
    where c.records_events
    order by c.request;
  end if;
  if v_job_requests is not null then
    perform invite.queue_sends(v_job_requests);
  end if;
  return v_results;
end
$$;
comment on function invite.insert_batches(jsonb, invite.trigger_check[], timestamptz, boolean, boolean) is
  'Inserts the batches of the requests that were found acceptable, with their invitations and jobs.';
