/*
 * The status of an invitation as people see it, by its row's status and mail. A row's status is that of its present mail: once that is the
 * reminder, the invitation itself has been sent, whatever becomes of the reminder. The one place of this rule: lists, filters and counts of
 * the pages use it. batch_overview, which is an operator's, says the same by sent_at; a test holds them together.
 * Called by: list_invitations, search_invitations, survey_invitations, invitation_lines, survey_counts, workspace_surveys.
 */
create or replace function invite.display_status(status invite.invitation_status, message_kind invite.message_kind) returns invite.invitation_status
language sql immutable parallel safe
as $$
  select case when message_kind = 'reminder' then 'sent'::invite.invitation_status else status end
$$;
comment on function invite.display_status(invite.invitation_status, invite.message_kind) is
  'The status of an invitation as people see it: sent once its present mail is the reminder.';
