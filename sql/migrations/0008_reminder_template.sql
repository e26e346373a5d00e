-- A reminder may have a subject and a message of its own: on the token, and copied into each batch that it accepts.

alter table invite.trigger_tokens
  add column default_reminder_subject text,
  add column default_reminder_message text,
  add constraint trigger_tokens_reminder_subject_length
    check (length(default_reminder_subject) between 1 and 255 and default_reminder_subject !~ '[\r\n]'),
  add constraint trigger_tokens_reminder_message_length check (octet_length(default_reminder_message) between 1 and 65536);
comment on column invite.trigger_tokens.default_reminder_subject is 'Null: the invitation''s subject after "Reminder: ".';
comment on column invite.trigger_tokens.default_reminder_message is 'Null: the invitation''s message.';

alter table invite.batches
  add column reminder_subject text,
  add column reminder_message text,
  add constraint batches_reminder_subject_length check (length(reminder_subject) between 1 and 255 and reminder_subject !~ '[\r\n]'),
  add constraint batches_reminder_message_length check (octet_length(reminder_message) between 1 and 65536);
comment on column invite.batches.reminder_subject is 'The token''s when it was accepted. Null: the batch''s subject after "Reminder: ".';
comment on column invite.batches.reminder_message is 'The token''s when it was accepted. Null: the batch''s message.';

-- Signatures and the return type change; re-created with the functions.
drop function if exists invite.create_trigger_token(text, text, bytea, text, integer, text, text, integer, text);
drop function if exists invite.update_trigger_token(uuid, text, integer, text, text, integer);
drop function if exists invite.claim_invitations(text, bigint[], uuid, timestamptz, text, numeric, uuid);
alter type invite.claimed_invitation add attribute reminder_subject text, add attribute reminder_message text;
comment on type invite.claimed_invitation is
  'What a worker needs to render and send one claimed mail. reminder_subject, reminder_message: null unless the mail is a reminder with its own.';
