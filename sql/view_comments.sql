/*
 * The comments of the views' columns, for \d+. A column gets the comment of the table column of the same name, or the one listed here.
 * After that the columns of views that read other views get the comments of those; the loop does this twice, for views of such views.
 */
do $$
declare
  v_own constant jsonb := $json${
    "awaiting_requeue.survey_id": "The survey.",
    "active_relays.id": "The relay's name.",
    "batch_overview.status": "Derived from the counts: see the view.",
    "batch_overview.queued": "Invitations to be sent.",
    "batch_overview.waiting": "Invitations that are due, but held.",
    "batch_overview.sending": "Invitations that a worker is sending.",
    "batch_overview.sent": "Invitations that the relay has accepted.",
    "batch_overview.failed": "Invitations that failed.",
    "batch_overview.suppressed": "Invitations whose address must not be emailed.",
    "batch_overview.cancelled": "Invitations that were cancelled.",
    "batch_overview.deferred": "Of the queued, those that a rule about when emails may leave has put off.",
    "batch_overview.skipped": "Invitations that could not leave in time, by a rule about when emails may leave.",
    "batch_overview.reminders_pending": "Reminders that are still to be sent, are held, or are being sent.",
    "batch_overview.reminded": "Reminders that the relay has accepted.",
    "batch_overview.responded": "Invitations with a response.",
    "batch_overview.reminders_failed": "Reminders that failed.",
    "batch_overview.delivered": "Invitations of which the relay has reported that an email arrived.",
    "batch_overview.bounced": "Invitations of which the relay has reported that the address is no mailbox.",
    "batch_overview.complained": "Invitations that were reported as spam.",
    "batch_overview.unsubscribed": "Invitations by whose link the recipient has unsubscribed.",
    "broken_invariants.code": "How it is stuck: see the type.",
    "broken_invariants.invitation_id": "The invitation.",
    "broken_invariants.since": "Since when it has been due; for an event, when it was written.",
    "broken_invariants.endpoint_id": "The webhook endpoint that should have been called.",
    "cap_overview.sent_this_hour": "How many emails it has counted in this clock hour.",
    "cap_overview.sent_today": "How many since midnight in UTC.",
    "cap_overview.waiting": "How many emails have a place that they have not used yet.",
    "cap_overview.waits_until": "When the last of these places ends. Null: none waits.",
    "data_growth.name": "The table; jobs: graphile-worker's jobs.",
    "data_growth.estimated_rows": "The planner's estimate.",
    "data_growth.bytes": "Size on disk with its indexes.",
    "data_growth.oldest_at": "Time of the oldest row. Null: not known.",
    "data_growth.last_day": "Rows of the last 24 hours. Null: not known.",
    "data_growth.retention_days": "After how many days rows are deleted; only failed jobs are. Null: never.",
    "due_for_deletion.what": "What is kept.",
    "due_for_deletion.days": "For how many days it is kept now. Null: for good.",
    "due_for_deletion.effective_at": "From when on next_days hold, if the days were shortened.",
    "due_for_deletion.next_days": "For how many days it is kept in 24 hours. Null: for good.",
    "due_for_deletion.rows": "How many rows the next 24 hours delete; of batches, their invitations.",
    "due_for_deletion.most_rows": "Where rows stops counting.",
    "delivery_queue.overdue_by": "For how long it has been due.",
    "delivery_jobs.invitation_id": "The invitation.",
    "delivery_jobs.job_id": "The job.",
    "delivery_jobs.job_run_at": "When the job runs.",
    "delivery_jobs.job_locked_by": "The runner that is running the job. Null: none.",
    "delivery_queue.job_id": "The job that sends it; the first if there are several. Null: none.",
    "delivery_queue.job_run_at": "When the job runs.",
    "delivery_queue.job_locked_by": "The runner that is running the job. Null: none.",
    "event_consumer_lag.behind": "Events that it hasn't read, including those of types that it skips.",
    "event_consumer_lag.oldest_unread_at": "When the first unread event was published. Null: there is none.",
    "event_consumer_lag.lost": "Events that were deleted after their retention before it had read them.",
    "emails_per_minute.minute": "When the minute begins.",
    "emails_per_minute.invitations": "Invitations sent in this minute.",
    "emails_per_minute.reminders": "Reminders sent in this minute.",
    "due_next_hour.emails": "How many emails.",
    "due_next_hour.first_due_at": "When the first of them is due.",
    "due_next_hour.hold_reason": "Why they will wait. Null: they will be sent.",
    "failing_jobs.run_at": "When a retrying job runs again.",
    "delivery_queue.due_at": "When it is to be sent, or tried again. Null once nothing more is to be sent.",
    "invitation_overview.due_at": "When it is to be sent, or tried again. Null once nothing more is to be sent.",
    "unsent_causes.due_at": "When it is to be sent, or tried again. Null once nothing more is to be sent.",
    "upload_overview.unaccepted": "Lines that aren't invited, yet or at all, by what becomes of them. Null: none.",
    "upload_overview.batches": "How many batches it has been accepted as.",
    "unsent_messages.due_at": "When it is to be sent, or tried again. Null once nothing more is to be sent.",
    "waiting_invitations.due_at": "When it is to be sent, or tried again. Null once nothing more is to be sent.",
    "invitation_overview.reminded_at": "When the relay accepted the last reminder.",
    "invitation_history.at": "When it happened, or is due.",
    "invitation_history.event": "What happened: see the type.",
    "invitation_history.detail": "A code, the relay's id of the message, or the relay's text.",
    "invitation_history.in_words": "The event and its detail as a sentence.",
    "member_sessions.signed_in_at": "When the person signed in.",
    "member_sessions.last_used_at": "When the session was last used, accurate to five minutes.",
    "member_sessions.ends_at": "When it ends, if it isn't used again.",
    "member_sessions.session_id": "The session, as `member sign-out --session` takes it.",
    "paused_sending.scope": "all, workspace, guard (which pauses a workspace because of bounces or complaints) or survey.",
    "paused_sending.workspace_id": "The workspace. Null: all workspaces.",
    "paused_sending.survey_id": "The survey. Null: all surveys.",
    "paused_sending.paused_at": "When it was paused.",
    "results.attribution": "invitation: through a tracked link; direct: without a tracked link.",
    "suppressed_addresses.relay": "The relay whose report is shown. Null: no relay reported the address.",
    "suppressed_addresses.event_type": "What the relay last reported about the address.",
    "survey_overview.hold_reason": "Why its email is held. Null: it isn't.",
    "survey_overview.in_words": "The reason as a sentence.",
    "survey_overview.responses": "How many responses it has.",
    "survey_overview.draft_edited_at": "When its questions were last edited without being published. Null: there are no such changes.",
    "trigger_token_overview.last_accepted_at": "When a request with it was last accepted.",
    "trigger_token_overview.rejected": "How many requests with it were rejected in the last 24 hours.",
    "trigger_token_overview.workspace_rest_days": "The rest of the workspace, which the token may ignore.",
    "trigger_token_overview.workspace_sender": "The workspace's sender, for settings that the token doesn't set.",
    "trigger_token_overview.email_question": "The question that its emails can ask. Null: the survey has none that fits.",
    "trigger_token_overview.survey_language": "The language of its texts.",
    "trigger_token_overview.survey_public_url": "Where the links lead, if the product has its own survey page.",
    "unsent_causes.unsent_reason": "Why it hasn't been sent: see the type.",
    "unsent_causes.in_words": "The reason as a sentence.",
    "unsent_causes.hold_reason": "Why its email is held, if that is the reason.",
    "unsent_causes.leave_by": "When it is skipped if it hasn't left. Null: it waits for as long as it takes.",
    "unsent_causes.suppression_reason": "Why its address is on the do-not-email list, if that is the reason.",
    "unsent_causes.suppressed_at": "Since when its address is on the do-not-email list, if that is the reason.",
    "unsent_causes.relay": "A relay that is paused. Null: none.",
    "unsent_causes.relay_code": "Why the relay is paused.",
    "unsent_messages.job_id": "The job that sends it. Null: none.",
    "unsent_messages.next_look_at": "When a worker looks at it next: by its job or the sweep.",
    "waiting_invitations.in_words": "The reason as a sentence.",
    "webhook_log.pending_reason": "Why it is pending: disabled, paused, sending, due or retry_later. Null: it isn't.",
    "webhook_overview.rotating_until": "Until when requests are also signed with its previous secret.",
    "webhook_overview.pending": "Events that it hasn't accepted yet.",
    "webhook_overview.failed": "Events that were given up in the last 24 hours.",
    "worker_health.silent_for": "Time since it last reported.",
    "worker_health.sending": "How many emails it is sending.",
    "worker_health.is_running": "Whether it counts as running; if not, other workers take over.",
    "background_jobs.id": "The job.",
    "background_jobs.task": "The task that it runs: a file of tasks/.",
    "background_jobs.priority": "Smaller ones run first.",
    "background_jobs.run_at": "When it may run.",
    "background_jobs.attempts": "Attempts so far, including the running one.",
    "background_jobs.max_attempts": "After this number of attempts it is given up.",
    "background_jobs.created_at": "When it was added.",
    "background_jobs.updated_at": "When it last changed.",
    "background_jobs.locked_at": "Since when it has been running. Null: it isn't.",
    "background_jobs.locked_by": "The runner that is running it.",
    "background_jobs.state": "running, gave_up, retrying, scheduled or ready.",
    "background_jobs.workspace_id": "The workspace that it is about. Null: none.",
    "background_jobs.survey_id": "The survey that it is about. Null: none.",
    "background_jobs.invitations": "How many invitations it is about.",
    "background_jobs.last_error": "Why the last attempt failed.",
    "miscounted_results.given": "How many responses or invitations have it.",
    "miscounted_results.counted": "How many the Results show.",
    "notification_overview.score_alerts": "For how many surveys the member is told of low scores.",
    "notification_overview.waiting_scores": "How many low scores have not been told yet.",
    "notification_overview.waiting_emails": "How many emails have not been sent yet.",
    "notification_overview.last_ended_at": "When the last email that was tried was sent or given up. Null: it is tried again.",
    "notification_overview.last_outcome": "What became of it: sent; nothing, if nothing was left to tell; or the relay's code.",
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
      -- A table whose name is part of the view's name comes first.
      order by v.oid, a.attname, position(t.relname in v.relname) = 0, t.oid desc
    loop
      execute format('comment on column invite.%I.%I is %L', v_column.view, v_column.name, v_column.comment);
    end loop;
  end loop;
end
$$;
