/*
 * What the columns of the views are, for \d+: the comment of the table's column of that name; what is here, for the others; and then for a view
 * of views, twice for a view of those, what they say.
 */
do $$
declare
  v_own constant jsonb := $json${
    "awaiting_requeue.survey_id": "The survey.",
    "active_relays.id": "The relay's name.",
    "batch_overview.status": "Derived from the counts: see the view.",
    "batch_overview.queued": "Invitations to be sent.",
    "batch_overview.waiting": "Invitations that are due, but held.",
    "batch_overview.sending": "Invitations that a worker has.",
    "batch_overview.sent": "Invitations that the relay has accepted.",
    "batch_overview.failed": "Invitations that failed.",
    "batch_overview.suppressed": "Invitations whose address must not be emailed.",
    "batch_overview.cancelled": "Invitations that were cancelled.",
    "batch_overview.reminders_pending": "Reminders to be sent, held or with a worker.",
    "batch_overview.reminded": "Reminders that the relay has accepted.",
    "batch_overview.responded": "Invitations with a response.",
    "batch_overview.reminders_failed": "Reminders that failed.",
    "broken_invariants.code": "How it is stuck: see the type.",
    "broken_invariants.invitation_id": "The invitation.",
    "broken_invariants.since": "Since when it has been due; of an event, when it was written.",
    "broken_invariants.endpoint_id": "The webhook endpoint that should have been called.",
    "data_growth.name": "The table; jobs: graphile-worker's.",
    "data_growth.estimated_rows": "The planner's estimate.",
    "data_growth.bytes": "Size on disk with its indexes.",
    "data_growth.oldest_at": "Time of the oldest row. Null: not known.",
    "data_growth.last_day": "Rows of the last 24 hours. Null: not known.",
    "data_growth.retention_days": "After how many days rows are deleted; of jobs only failed ones. Null: never.",
    "delivery_queue.overdue_by": "For how long it has been due.",
    "delivery_jobs.invitation_id": "The invitation.",
    "delivery_jobs.job_id": "The job.",
    "delivery_jobs.job_run_at": "When the job runs.",
    "delivery_jobs.job_locked_by": "The runner that has the job. Null: none.",
    "delivery_queue.job_id": "The job that looks at it, or looks first. Null: none.",
    "delivery_queue.job_run_at": "When that job runs.",
    "delivery_queue.job_locked_by": "The runner that has that job. Null: none.",
    "event_consumer_lag.behind": "Events that it has not read; those of types that it passes over too.",
    "event_consumer_lag.oldest_unread_at": "When the first of them was published. Null: there is none.",
    "event_consumer_lag.lost": "Events that their retention ended before it had read them.",
    "emails_per_minute.minute": "When the minute begins.",
    "emails_per_minute.invitations": "Invitations sent in it.",
    "emails_per_minute.reminders": "Reminders sent in it.",
    "due_next_hour.emails": "How many emails.",
    "due_next_hour.first_due_at": "When the first of them is due.",
    "due_next_hour.hold_reason": "Why they will wait. Null: they leave.",
    "failing_jobs.run_at": "When it is tried again, if it is.",
    "invitation_history.at": "When it happened, or is due.",
    "invitation_history.event": "What happened: see the type.",
    "invitation_history.detail": "A code, the relay's id of the message, or its words.",
    "invitation_history.in_words": "The event and its detail as a sentence.",
    "member_sessions.signed_in_at": "When the person signed in.",
    "member_sessions.last_used_at": "When the session was last used, to five minutes.",
    "member_sessions.ends_at": "When it ends, if it isn't used again.",
    "paused_sending.scope": "all, workspace or survey.",
    "paused_sending.workspace_id": "The workspace. Null: all.",
    "paused_sending.survey_id": "The survey. Null: all of them.",
    "paused_sending.paused_at": "When it was paused.",
    "results.attribution": "invitation: through a tracked link; direct: without.",
    "suppressed_addresses.relay": "The relay whose report is shown. Null: none reported it.",
    "suppressed_addresses.event_type": "What the relay reported last about the address.",
    "survey_overview.hold_reason": "Why its email is held. Null: it isn't.",
    "survey_overview.in_words": "The reason as a sentence.",
    "survey_overview.responses": "How many responses it has.",
    "trigger_token_overview.last_accepted_at": "When a request with it was last accepted.",
    "trigger_token_overview.rejected": "How many requests with it were rejected in the last 24 hours.",
    "trigger_token_overview.workspace_sender": "Whom its emails come from, but for what differs.",
    "trigger_token_overview.survey_language": "The language of its texts.",
    "trigger_token_overview.survey_public_url": "Where links lead, if the product has its own survey page.",
    "unsent_invitations.unsent_reason": "Why it hasn't been sent: see the type.",
    "unsent_invitations.in_words": "The reason as a sentence.",
    "unsent_invitations.suppression_reason": "Why its address must not be emailed, if that is the reason.",
    "unsent_invitations.suppressed_at": "Since when, if that is the reason.",
    "unsent_invitations.relay": "A relay that is paused. Null: none.",
    "unsent_invitations.relay_code": "Why the relay is paused.",
    "unsent_messages.job_id": "The job that looks at it. Null: none.",
    "unsent_messages.next_look_at": "When it is looked at next: by its job or the sweep.",
    "waiting_invitations.in_words": "The reason as a sentence.",
    "webhook_log.pending_reason": "Why it is pending: disabled, paused, sending, due or retry_later. Null: it isn't.",
    "webhook_overview.rotating_until": "Until when its previous secret signs too.",
    "webhook_overview.pending": "Events that it has not taken yet.",
    "webhook_overview.failed": "Events that were given up in the last 24 hours.",
    "worker_health.silent_for": "Time since it last reported.",
    "worker_health.sending": "How many emails it is sending.",
    "worker_health.is_running": "Whether it counts as running; otherwise the others take over.",
    "background_jobs.id": "The job.",
    "background_jobs.task": "What it does: a file of tasks/.",
    "background_jobs.priority": "Smaller ones run first.",
    "background_jobs.run_at": "When it may run.",
    "background_jobs.attempts": "Attempts so far, with the running one.",
    "background_jobs.max_attempts": "After so many it is given up.",
    "background_jobs.created_at": "When it was added.",
    "background_jobs.updated_at": "When it last changed.",
    "background_jobs.locked_at": "Since when it has been running. Null: it isn't.",
    "background_jobs.locked_by": "The runner that has it.",
    "background_jobs.state": "running, gave_up, retrying, scheduled or ready.",
    "background_jobs.workspace_id": "The workspace that it is about, if it is about one.",
    "background_jobs.survey_id": "The survey that it is about, if it is about one.",
    "background_jobs.invitations": "How many invitations it looks at.",
    "background_jobs.last_error": "Why the last attempt failed.",
    "miscounted_results.given": "How many responses have it.",
    "miscounted_results.counted": "How many Results count.",
    "workspace_overview.surveys": "How many surveys it has.",
    "workspace_overview.members": "How many members it has."
  }$json$;
  v_kind text;
  v_column record;
begin
  foreach v_kind in array array['r', 'own', 'v', 'v'] loop
    for v_column in
      select distinct on (v.oid, a.attname) v.relname as view, a.attname as name,
        coalesce(v_own ->> (v.relname || '.' || a.attname), col_description(d.refobjid, d.refobjsubid)) as comment
      from pg_class as v
      join pg_attribute as a on a.attrelid = v.oid and a.attnum > 0
      left join (
        pg_rewrite as w
        join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refclassid = 'pg_class'::regclass
        join pg_class as t on t.oid = d.refobjid
        join pg_attribute as s on s.attrelid = t.oid and s.attnum = d.refobjsubid
      ) on w.ev_class = v.oid and t.oid <> v.oid and s.attname = a.attname and t.relkind = v_kind and col_description(t.oid, s.attnum) is not null
      where v.relnamespace = 'invite'::regnamespace and v.relkind = 'v'
        and case when v_kind = 'own' then v_own ? (v.relname || '.' || a.attname) else t.oid is not null end
      -- A table that the view is named after comes first.
      order by v.oid, a.attname, position(t.relname in v.relname) = 0, t.oid desc
    loop
      execute format('comment on column invite.%I.%I is %L', v_column.view, v_column.name, v_column.comment);
    end loop;
  end loop;
end
$$;
