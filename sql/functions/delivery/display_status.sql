/*
 * Once the last message is a reminder, the invitation has been sent, whatever becomes of the reminder. Nothing more is to be sent to a
 * recipient who has responded, as to one whose invitation was sent. batch_overview says the same by sent_at; a test holds them together.
 */
create or replace function invite.display_status(status invite.message_status, message_kind invite.message_kind) returns invite.message_status
language sql immutable parallel safe
as $$
  select case when message_kind = 'reminder' or status = 'answered' then 'sent' else status end
$$;
comment on function invite.display_status(invite.message_status, invite.message_kind) is
  'The status of an invitation as people see it, by the status and kind of its last message.';
