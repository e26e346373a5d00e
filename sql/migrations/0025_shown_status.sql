-- The status that people see: of a delivered invitation whose reminder is pending it is sent. What the pages list, count and show beside it.

-- By the pair that invite.shown_status is made of, not by its result: what is pending of a survey is still found by its own status, and
-- the rule can change without a new index. Without sending: a claim then adds nothing to it.
drop index invite.invitations_listed_idx;
create index invitations_listed_idx on invite.invitations (survey_id, status, mail, id) where status <> 'sending';
comment on index invite.invitations_listed_idx is 'The invitations of a survey by status and mail, newest first, for its page.';

alter type invite.invitation_line
  add attribute mail_status invite.invitation_status,
  add attribute last_error_code text,
  add attribute metadata jsonb;
comment on type invite.invitation_line is
  'An invitation on its survey''s page, without its link token. status: as people see it (shown_status); mail_status: of its present mail. '
  'why: why that mail has not left; null: it has. metadata: null in a list.';

alter type invite.batch_line
  add attribute message text,
  add attribute reminder_subject text,
  add attribute reminder_message text,
  add attribute metadata jsonb;
comment on type invite.batch_line is
  'A batch on its survey''s page. counts: its recipients by what became of their invitation, as in batch_overview. Its texts and metadata: null in a list.';

-- What became of a test mail, for who asked for it.
alter table invite.test_invitations
  add column outcome invite.delivery_outcome,
  add column outcome_code text,
  add column attempts integer not null default 0,
  add column tried_at timestamptz,
  add constraint test_invitations_code_length check (length(outcome_code) <= 100),
  add constraint test_invitations_tried check ((outcome is null) = (tried_at is null));
comment on column invite.test_invitations.outcome is 'What became of the last attempt; null: there was none yet.';
comment on column invite.test_invitations.outcome_code is 'Why it did not succeed: the relay''s code or ours, never its words, which may repeat an address.';
comment on column invite.test_invitations.attempts is 'How often it was tried.';
comment on column invite.test_invitations.tried_at is 'When it was tried last.';

create type invite.test_line as (
  id uuid, token_name text, mail invite.mail_kind, requested_at timestamptz, state text, code text, attempts integer, tried_at timestamptz
);
comment on type invite.test_line is
  'A test mail of a member, and what became of it. state: queued, retrying, sent, refused, or given_up, an hour after it was asked for.';
