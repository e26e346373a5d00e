/*
 * Who may do what; re-applied on every migrate, after the functions, triggers and views. The roles are made by sql/roles.sql; where a
 * role does not exist its grants are skipped, and the owner's one connection does everything.
 *
 *   invite_owner     owns the schemas; migrates and runs the worker
 *   invite_http      the functions that the HTTP process calls, nothing else
 *   invite_console   the functions that manage workspaces, surveys, members and tokens, and the views
 *   invite_readonly  the views, and the tables without secrets
 */
revoke all on schema invite from public;
revoke all on all tables in schema invite from public;
revoke execute on all functions in schema invite from public;

do $$
declare
  v_role text;
  v_http constant text[] := array[
    'schema_version', 'accept_triggers', 'survey_page', 'submit_response', 'unsubscribe_page', 'unsubscribe', 'subscribe_again', 'relay_conditions',
    'record_relay_events', 'queue_metrics', 'request_sign_in_link', 'is_sign_in_link', 'sign_in', 'sign_out', 'visit', 'survey_frame',
    'workspace_surveys', 'workspace_members', 'change_member', 'audit_entries',
    'survey_tokens', 'add_token', 'change_token', 'remove_token', 'survey_refusals', 'record_refusals',
    'result_page', 'result_keys', 'result_summary',
    'survey_counts', 'survey_forecast', 'survey_invitations', 'survey_invitation', 'invitation_events', 'survey_batches',
    'change_survey_state', 'change_mails', 'test_templates', 'test_lines', 'request_test_invitation'
  ];
  v_console constant text[] := array[
    'schema_version', 'require_workspace', 'require_survey', 'upsert_workspace', 'set_workspace_suspended', 'upsert_member', 'remove_member', 'upsert_survey',
    'set_survey_state', 'set_survey_disabled', 'create_trigger_token', 'update_trigger_token', 'delete_trigger_token',
    'record_response', 'cancel_batch', 'cancel_email', 'cancel_invitation', 'cancel_survey',
    'retry_batch', 'retry_invitation', 'retry_survey', 'erase_email', 'create_sign_in_link', 'end_sessions'
  ];
  v_readable constant text[] := array[
    'plans', 'workspaces', 'members', 'surveys', 'batches', 'responses', 'suppressions', 'workers', 'workspace_volumes', 'migrations',
    'workspace_overview', 'survey_overview', 'trigger_token_overview', 'batch_overview', 'invitation_overview', 'invitation_history',
    'delivery_queue', 'unsent_invitations', 'unsent_messages', 'waiting_invitations', 'failed_invitations', 'results', 'relays', 'relay_health', 'worker_health',
    'relay_events', 'suppressed_addresses', 'audit_log',
    'refusals', 'refused_requests'
  ];
  -- A view calls its functions with the rights of whoever reads it.
  v_of_views constant text[] := array['hold_reason', 'hold_reason_in_words', 'unsent_reason_in_words'];
  v_name text;
  v_function regprocedure;
begin
  for v_role in
    select r.rolname from pg_roles as r where r.rolname in ('invite_http', 'invite_console', 'invite_readonly')
  loop
    execute format('revoke all on all tables in schema invite from %I', v_role);
    execute format('revoke all on all functions in schema invite from %I', v_role);
    execute format('grant usage on schema invite to %I', v_role);

    for v_function in
      select p.oid from pg_proc as p
      where p.pronamespace = 'invite'::regnamespace
        and p.proname = any (case v_role when 'invite_http' then v_http when 'invite_console' then v_console || v_of_views else v_of_views end)
    loop
      execute format('grant execute on function %s to %I', v_function, v_role);
    end loop;

    if v_role in ('invite_console', 'invite_readonly') then
      foreach v_name in array v_readable loop
        execute format('grant select on invite.%I to %I', v_name, v_role);
      end loop;
    end if;
  end loop;
end
$$;
