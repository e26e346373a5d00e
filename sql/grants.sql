/*
 * The permissions of the roles of roles.sql; those of a role that does not exist are skipped.
 *
 *   invite_owner     owns the schemas; migrates and runs the worker
 *   invite_web       the web server: all of console, and what the endpoint, the recipients' pages and the webhooks call
 *   invite_admin     the command line and the product: manages workspaces, surveys, members and tokens, and reads the views
 *   invite_readonly  the views, and the tables without secrets; of workspaces all but the key
 *
 * A function of console that is not security definer can be executed, but can't read a table: only those that check the session have the
 * owner's rights.
 */
revoke all on schema invite, console from public;
revoke all on all tables in schema invite from public;
revoke execute on all functions in schema invite, console from public;
-- A trigger's condition is computed with the rights of the role that changes the row. These read nothing.
grant execute on function
  invite.hold_of_plan(invite.plans), invite.hold_of_settings(invite.settings), invite.hold_of_survey(invite.surveys), invite.hold_of_workspace(invite.workspaces)
to public;

do $$
declare
  v_role text;
  v_web constant text[] := array[
    'schema_version', 'home', 'arrived_homes', 'cell_number', 'rules_in_use', 'count_sealed_secrets', 'accept_triggers', 'queue_accepted', 'time_zone_names', 'read_quota', 'record_rejections', 'survey_page', 'submit_response', 'unsubscribe_page', 'unsubscribe',
    'resubscribe', 'choose', 'take_back', 'stop_notifications', 'find_wording', 'find_logo', 'record_relay_events', 'relay_conditions', 'try_write', 'running_workers', 'queue_metrics', 'count_broken_invariants', 'count_paused',
    'count_failing_jobs', 'token_batch', 'token_events', 'published_to', 'count_events',
    'cell_state', 'accept_test_trigger', 'token_test_clock', 'token_test_emails', 'token_test_advance', 'token_test_result'
  ];
  v_admin constant text[] := array[
    'schema_version', 'home', 'cell_number', 'try_write', 'rules_in_use', 'count_sealed_secrets', 'sealed_secrets', 'replace_sealed_secret', 'require_workspace', 'require_survey', 'upsert_workspace', 'set_workspace_sender', 'add_logo', 'set_wording', 'wording_languages', 'wording_lines', 'set_workspace_rules', 'set_survey_rules', 'set_workspace_suspended', 'upsert_member', 'remove_member', 'set_score_alert', 'set_weekly_report', 'upsert_survey', 'duplicate_survey',
    'set_survey_state', 'set_survey_ends', 'set_survey_button', 'set_survey_disabled', 'set_survey_language', 'set_survey_translation', 'set_token_translation', 'create_trigger_token', 'update_trigger_token', 'replace_trigger_secret', 'end_previous_secret', 'delete_trigger_token',
    'record_response', 'cancel_batch', 'cancel_email', 'cancel_invitation', 'cancel_survey', 'forecast_survey',
    'delete_survey', 'delete_workspace', 'set_retention', 'set_sending_paused', 'set_workspace_paused', 'set_survey_paused', 'set_guard_limit', 'release_guard', 'set_cap', 'set_earned_cap', 'set_shared_cap', 'set_workspace_events', 'create_webhook_endpoint', 'rotate_webhook_secret', 'set_webhook_paused', 'delete_webhook_endpoint',
    'send_test_webhook', 'replay_webhooks', 'published_to', 'trigger', 'read_events', 'replay_events', 'delete_event_consumer',
    'retry_batch', 'retry_invitation', 'send_batch_anyway', 'send_invitation_anyway', 'retry_survey', 'remind_now', 'remind_batch_now', 'remind_survey_now', 'reschedule_batch',
    'erase_email', 'record_export', 'suppress_email', 'lift_suppression', 'create_sign_in_link', 'end_session', 'end_sessions', 'create_test_workspace', 'request_test_advance', 'test_result',
    'time_zone_names', 'create_upload', 'put_upload_lines', 'check_upload', 'send_upload', 'cancel_upload'
  ];
  v_tables constant text[] := array[
    'plans', 'time_zones', 'workspaces', 'members', 'surveys', 'past_questions', 'question_drafts', 'batches', 'addresses', 'responses', 'suppressions', 'recipient_choices', 'workers', 'migrations',
    'relays', 'relay_events', 'invitation_outcomes', 'rejections', 'audit_log', 'retention', 'events', 'uploads', 'upload_lines', 'upload_batches', 'guard_limits', 'wordings', 'logos', 'service_words', 'caps', 'shared_caps', 'cap_slots'
  ];
  -- A view calls its functions with the rights of the person who reads it.
  v_of_views constant text[] := array['invitations_to', 'hold_reason', 'hold_reason_in_words', 'departure_reason', 'departures', 'rules_of', 'message_deadline', 'has_declined', 'wait_of', 'reason_of_wait', 'rests_until', 'has_caps', 'capped_until', 'next_open', 'zone_of', 'now', 'sending_now', 'sending_in_tests', 'is_test', 'verdict_of', 'unsent_reason_in_words', 'lost_after_seconds', 'ended_at', 'session_ends_at', 'kept_days', 'count_due', 'uuidv7', 'outcome_of', 'counted_answers', 'several_values', 'counted_times', 'every_question', 'questions_as_asked', 'email_question', 'recent_activity', 'unsent_reasons', 'count_events', 'guard_counts', 'guard_figures'];
  v_object regclass;
  v_function regprocedure;
begin
  for v_role in
    select r.rolname from pg_roles as r where r.rolname in ('invite_web', 'invite_admin', 'invite_readonly')
  loop
    execute format('revoke all on all tables in schema invite from %I', v_role);
    execute format('revoke all on all functions in schema invite, console from %I', v_role);
    execute format('grant usage on schema invite to %I', v_role);
    if v_role = 'invite_web' then
      execute format('grant usage on schema console to %I', v_role);
      execute format('grant execute on all functions in schema console to %I', v_role);
    end if;

    for v_function in
      select p.oid from pg_proc as p
      where p.pronamespace = 'invite'::regnamespace
        and p.proname = any (case v_role when 'invite_web' then v_web when 'invite_admin' then v_admin || v_of_views else v_of_views end)
    loop
      execute format('grant execute on function %s to %I', v_function, v_role);
    end loop;

    if v_role in ('invite_admin', 'invite_readonly') then
      for v_object in
        select c.oid from pg_class as c
        where c.relnamespace = 'invite'::regnamespace and (c.relkind = 'v' or c.relkind in ('r', 'p') and c.relname = any (v_tables))
      loop
        execute format('grant select on %s to %I', v_object, v_role);
      end loop;
      execute format('revoke select on invite.workspaces from %I', v_role);
      execute format(
        'grant select (%s) on invite.workspaces to %I',
        (
          select string_agg(quote_ident(a.attname), ', ')
          from pg_attribute as a
          where a.attrelid = 'invite.workspaces'::regclass and a.attnum > 0 and not a.attisdropped and a.attname <> 'link_key'
        ),
        v_role);
    end if;
  end loop;
end
$$;
