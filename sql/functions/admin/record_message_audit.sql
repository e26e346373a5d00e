/*
 * Writes nothing if there were none. Names a recipient by the invitation's id, because an address could not be erased there.
 */
create or replace function invite.record_message_audit(survey_id text, action invite.audit_action, subject text, messages integer, detail jsonb default '{}')
returns void
language sql volatile
as $$
  select invite.record_audit(
    s.workspace_id, invite.current_actor(), record_message_audit.action, record_message_audit.subject,
    jsonb_build_object('survey', s.title, 'messages', record_message_audit.messages) || record_message_audit.detail)
  from invite.surveys as s
  where s.id = record_message_audit.survey_id and record_message_audit.messages > 0
$$;
comment on function invite.record_message_audit(text, invite.audit_action, text, integer, jsonb) is
  'Writes to the audit log how many messages were cancelled, retried or rescheduled.';
