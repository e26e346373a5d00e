-- The tab Invitations: lists, search, cancelling and sending again by members, and test invitations.

-- One pattern index instead of one by the database's collation: it serves the same equality, and prefixes too.
drop index invite.invitations_email_idx;
create index invitations_email_idx on invite.invitations (lower(email) text_pattern_ops);
comment on index invite.invitations_email_idx is 'A recipient''s history, and the search by the beginning of an address.';

-- Without sending, waiting and failed, which have indexes of their own: a claim then adds nothing to it.
create index invitations_listed_idx on invite.invitations (survey_id, status, id)
where status in ('queued', 'sent', 'suppressed', 'cancelled');
comment on index invite.invitations_listed_idx is 'The invitations of a survey by status, newest first, for its page.';

create table invite.test_invitations (
  id uuid not null default gen_random_uuid(),
  survey_id text collate "C" not null,
  trigger_token_id uuid not null,
  mail invite.mail_kind not null,
  email text not null,
  requested_at timestamptz not null,
  constraint test_invitations_pkey primary key (id),
  constraint test_invitations_survey_fkey foreign key (survey_id) references invite.surveys (id) on delete cascade,
  constraint test_invitations_token_fkey foreign key (trigger_token_id) references invite.trigger_tokens (id) on delete cascade
);
comment on table invite.test_invitations is
  'Test mails that members have asked for, to their own address. No invitations: no count, cooldown or response knows of them. Kept for a day.';
comment on column invite.test_invitations.trigger_token_id is 'Whose default texts the mail has.';
comment on column invite.test_invitations.mail is 'Which of its mails: the invitation or the reminder.';

create index test_invitations_email_idx on invite.test_invitations (email, requested_at);
comment on index invite.test_invitations_email_idx is 'The test mails of a member, for their limit.';

create type invite.mail_action as enum ('cancel', 'retry');
comment on type invite.mail_action is 'What a member can do to the mails of a batch or an invitation.';

create type invite.survey_counts as (held_because text, counts jsonb);
comment on type invite.survey_counts is
  'Why the mail of a survey is held (null: it is not), and its invitations by status; each count is at most what was asked for.';

create type invite.survey_forecast as (at_once integer, later integer);
comment on type invite.survey_forecast is 'Mails that would leave at once if the survey were active now, and those that are due later.';

create type invite.invitation_line as (
  id bigint, batch_id uuid, email text, name text, status invite.invitation_status, mail invite.mail_kind, why text, due_at timestamptz,
  sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz, attempts smallint, last_error text
);
comment on type invite.invitation_line is 'An invitation on its survey''s page, without its link token. why: why its mail has not left; null: it has.';

create type invite.invitation_event as (at timestamptz, event text, detail text);
comment on type invite.invitation_event is 'Something that happened to an invitation, as in invitation_history.';

create type invite.batch_line as (
  id uuid, token_name text, token_deleted boolean, status text, subject text, accepted_at timestamptz, scheduled_at timestamptz,
  reminder_days integer, recipients integer, responded integer, counts jsonb
);
comment on type invite.batch_line is 'A batch on its survey''s page. counts: its recipients by what became of their invitation, as in batch_overview.';

create type invite.test_template as (token_id uuid, token_name text, subject text, has_reminder boolean);
comment on type invite.test_template is 'A trigger token whose default texts can be sent as a test. has_reminder: it has texts of its own for reminders.';

create type invite.test_mail as (
  id uuid, mail invite.mail_kind, email text, subject text, message text, survey_id text, survey_title text, workspace_name text,
  reminder_subject text, reminder_message text
);
comment on type invite.test_mail is 'What a worker needs to render and send a test mail. Nulls: nothing is to be sent.';
