/*
 * Nothing if there were none. By id: an address could not be erased there.
 */
create function console.record_message_audit(survey_id text, actor text, action invite.audit_action, subject text, messages integer) returns integer
language plpgsql volatile
as $$
begin
  perform invite.record_audit(
    s.workspace_id, record_message_audit.actor, record_message_audit.action, record_message_audit.subject,
    jsonb_build_object('survey', s.title, 'messages', record_message_audit.messages))
  from invite.surveys as s
  where s.id = record_message_audit.survey_id and record_message_audit.messages > 0;
  return record_message_audit.messages;
end
$$;
comment on function console.record_message_audit(text, text, invite.audit_action, text, integer) is
  'Writes to the audit log how many messages a member has cancelled or retried. Returns that number.';
