/*
 * The status of an invitation as people see it, by its row's status and mail. A row's status is that of its present mail: once that is the
 * reminder, the invitation itself has been sent, whatever becomes of the reminder. The one place of this rule: lists, filters and counts of
 * the pages use it. batch_overview, which is an operator's, says the same by sent_at; a test holds them together.
 * Called by: list_invitations, search_invitations, survey_invitations, invitation_lines, survey_counts, workspace_surveys.
 */
create or replace function invite.shown_status(status invite.invitation_status, mail invite.mail_kind) returns invite.invitation_status
language sql immutable parallel safe
as $$
  select case when mail = 'reminder' then 'sent'::invite.invitation_status else status end
$$;
comment on function invite.shown_status(invite.invitation_status, invite.mail_kind) is
  'The status of an invitation as people see it: sent once its present mail is the reminder.';
