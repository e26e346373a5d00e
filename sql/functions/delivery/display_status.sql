/*
 * A row's status is that of its present message: once that is the reminder, the invitation has been sent, whatever becomes of the
 * reminder. batch_overview says the same by sent_at; a test holds them together.
 */
create or replace function invite.display_status(status invite.invitation_status, message_kind invite.message_kind) returns invite.invitation_status
language sql immutable parallel safe
as $$
  select case when message_kind = 'reminder' then 'sent'::invite.invitation_status else status end
$$;
comment on function invite.display_status(invite.invitation_status, invite.message_kind) is
  'The status of an invitation as people see it: sent once its present message is the reminder.';
