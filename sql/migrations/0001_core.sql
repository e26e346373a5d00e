-- The tables of the service. What changes state lives in sql/migrations; what computes lives in sql/functions.
--
-- Identifiers: workspaces and surveys carry the product's own text ids (or a generated UUID), so that a product keeps no
-- mapping table. Batches are UUIDs (time-ordered, they are public). Invitations and responses are bigints: they are many,
-- they are inserted in order, and job payloads carry lists of them.

create type invite.member_role as enum ('owner', 'admin', 'editor', 'viewer');
comment on type invite.member_role is 'Owners, admins and editors manage trigger tokens; viewers read Results.';

create type invite.survey_state as enum ('draft', 'active', 'closed');
comment on type invite.survey_state is 'Only an active survey is mailed about; in draft or closed, due invitations wait.';

create type invite.mail_kind as enum ('invitation', 'reminder');
comment on type invite.mail_kind is 'Which mail of an invitation its row is about at present.';

create type invite.invitation_status as enum (
  'queued', 'sending', 'waiting', 'sent', 'failed', 'suppressed', 'cancelled'
);
comment on type invite.invitation_status is
  'queued: to be sent at due_at. sending: a worker has claimed it. waiting: due, but the survey or workspace is not sendable. '
  'Ends: sent, failed (see last_error_code), suppressed (must not be mailed), cancelled.';

create type invite.suppression_reason as enum ('unsubscribe', 'hard_bounce', 'complaint', 'manual');
comment on type invite.suppression_reason is 'Why a workspace must not mail an address.';

create table invite.plans (
  id text collate "C" not null,
  api_trigger boolean not null,
  constraint plans_pkey primary key (id),
  constraint plans_id_length check (length(id) between 1 and 64)
);
comment on table invite.plans is 'What a workspace has paid for. A plan without api_trigger refuses trigger requests and holds due mail.';
comment on column invite.plans.api_trigger is 'Whether workspaces on this plan may use the API trigger.';

insert into invite.plans (id, api_trigger) values ('free', false), ('pro', true);

create table invite.workspaces (
  id text collate "C" not null default gen_random_uuid()::text,
  name text not null,
  plan_id text collate "C" not null default 'pro',
  suspended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  constraint workspaces_pkey primary key (id),
  constraint workspaces_id_format check (id ~ '^[A-Za-z0-9._:-]{1,64}$'),
  constraint workspaces_name_length check (length(name) between 1 and 255),
  constraint workspaces_plan_fkey foreign key (plan_id) references invite.plans (id)
);
comment on table invite.workspaces is 'A customer.';
comment on column invite.workspaces.id is 'The product''s own id, or a generated UUID: 1-64 of A-Z a-z 0-9 . _ : -';
comment on column invite.workspaces.suspended_at is 'Since when the workspace is suspended: trigger requests are refused and due mail waits. Null: not suspended.';

create table invite.members (
  workspace_id text collate "C" not null,
  email text not null,
  role invite.member_role not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint members_pkey primary key (workspace_id, email),
  constraint members_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint members_email_folded check (email = lower(email) and length(email) between 3 and 254)
);
comment on table invite.members is 'A person''s role in a workspace.';
comment on column invite.members.email is 'Folded to lower case: one person is one row.';

create table invite.surveys (
  id text collate "C" not null default gen_random_uuid()::text,
  workspace_id text collate "C" not null,
  title text not null,
  state invite.survey_state not null default 'draft',
  disabled_at timestamptz,
  public_url text,
  questions jsonb not null default '[
    {"id": "score", "type": "score", "label": "How likely are you to recommend us?", "min": 0, "max": 10, "required": true},
    {"id": "comment", "type": "text", "label": "What is the main reason for your score?", "required": false}
  ]',
  created_at timestamptz not null default clock_timestamp(),
  constraint surveys_pkey primary key (id),
  constraint surveys_workspace_fkey foreign key (workspace_id) references invite.workspaces (id),
  constraint surveys_id_format check (id ~ '^[A-Za-z0-9._:-]{1,64}$'),
  constraint surveys_title_length check (length(title) between 1 and 255),
  constraint surveys_public_url_http check (public_url ~* '^https?://[^[:space:][:cntrl:]]+$' and length(public_url) <= 2000),
  constraint surveys_questions_array check (jsonb_typeof(questions) = 'array')
);
comment on table invite.surveys is 'A survey that people are invited to.';
comment on column invite.surveys.id is 'The product''s own id, or a generated UUID: 1-64 of A-Z a-z 0-9 . _ : -';
comment on column invite.surveys.state is 'A plain update of this column is enough: the trigger _500_sendable requeues what waits.';
comment on column invite.surveys.disabled_at is 'Since when the survey is disabled: trigger requests are refused and due mail waits. Null: not disabled.';
comment on column invite.surveys.public_url is 'Where the survey is answered, if that is the product''s own page. Null: the service''s page, PUBLIC_URL/s/<id>.';
comment on column invite.surveys.questions is 'Questions of the service''s own page: a list of {id, type: score|choice|text, label, required, min, max, choices}.';

create index surveys_workspace_idx on invite.surveys (workspace_id);
comment on index invite.surveys_workspace_idx is 'The surveys of a workspace, for its pages and for requeueing when it becomes sendable.';

create table invite.trigger_tokens (
  id uuid not null default gen_random_uuid(),
  survey_id text collate "C" not null,
  name text not null,
  secret_hash bytea not null,
  secret_hint text not null,
  cooldown_seconds integer not null default 60,
  default_subject text not null default '{{workspace_name}}: {{survey_title}}',
  default_message text not null default
    E'Hello {{recipient_name}},\n\n{{workspace_name}} would like your opinion: {{survey_title}}\n\n{{survey_link}}\n\nThank you!',
  default_reminder_days integer not null default 0,
  last_accepted_at timestamptz,
  created_by text,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz,
  constraint trigger_tokens_pkey primary key (id),
  constraint trigger_tokens_survey_fkey foreign key (survey_id) references invite.surveys (id),
  constraint trigger_tokens_secret_hash_key unique (secret_hash),
  constraint trigger_tokens_secret_hash_sha256 check (length(secret_hash) = 32),
  constraint trigger_tokens_secret_hint_length check (length(secret_hint) <= 8),
  constraint trigger_tokens_name_length check (length(name) between 1 and 255),
  constraint trigger_tokens_cooldown_range check (cooldown_seconds between 0 and 86400),
  constraint trigger_tokens_subject_length check (length(default_subject) between 1 and 255 and default_subject !~ '[\r\n]'),
  constraint trigger_tokens_message_length check (octet_length(default_message) between 1 and 65536),
  constraint trigger_tokens_reminder_range check (default_reminder_days between 0 and 365)
) with (fillfactor = 80);
comment on table invite.trigger_tokens is
  'What a backend authenticates with. Bound to one survey; carries defaults and a cooldown. '
  'Fillfactor 80: every accepted request updates last_accepted_at, which stays on its page (HOT).';
comment on column invite.trigger_tokens.secret_hash is 'SHA-256 of the secret. The secret itself is never stored.';
comment on column invite.trigger_tokens.secret_hint is 'The last four characters of the secret, to tell tokens apart.';
comment on column invite.trigger_tokens.cooldown_seconds is 'Minimum seconds between two accepted requests.';
comment on column invite.trigger_tokens.default_reminder_days is 'Days from the sent invitation to its reminder; 0: no reminder.';
comment on column invite.trigger_tokens.last_accepted_at is 'When a request was last accepted: the start of the cooldown. Refused requests leave it alone.';
comment on column invite.trigger_tokens.created_by is 'Address of the member who created the token, if a member did.';
comment on column invite.trigger_tokens.deleted_at is 'A deleted token is unknown to the endpoint at once. The row stays: batches refer to it.';

create index trigger_tokens_survey_idx on invite.trigger_tokens (survey_id) where deleted_at is null;
comment on index invite.trigger_tokens_survey_idx is 'The live tokens of a survey.';

create table invite.workspace_volumes (
  workspace_id text collate "C" not null,
  minute timestamptz not null,
  recipients integer not null,
  constraint workspace_volumes_pkey primary key (workspace_id, minute),
  constraint workspace_volumes_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade
);
comment on table invite.workspace_volumes is
  'Recipients accepted per workspace and minute, for the hourly volume limit. Some sixty rows a workspace at the most.';

create table invite.batches (
  id uuid not null,
  workspace_id text collate "C" not null,
  survey_id text collate "C" not null,
  trigger_token_id uuid not null,
  subject text not null,
  message text not null,
  reminder_days integer not null,
  metadata jsonb,
  recipients integer not null,
  scheduled_at timestamptz not null,
  accepted_at timestamptz not null,
  constraint batches_pkey primary key (id),
  constraint batches_survey_fkey foreign key (survey_id) references invite.surveys (id),
  constraint batches_trigger_token_fkey foreign key (trigger_token_id) references invite.trigger_tokens (id),
  constraint batches_recipients_positive check (recipients > 0),
  constraint batches_subject_length check (length(subject) between 1 and 255 and subject !~ '[\r\n]'),
  constraint batches_message_length check (octet_length(message) between 1 and 65536),
  constraint batches_metadata_object check (jsonb_typeof(metadata) = 'object'),
  constraint batches_reminder_range check (reminder_days between 0 and 365)
);
comment on table invite.batches is 'One accepted trigger request. Its status is derived: see the view batch_overview.';
comment on column invite.batches.workspace_id is 'The survey''s workspace, copied so that lists of a workspace need no join.';
comment on column invite.batches.subject is 'The template as it was accepted: a later change of the token''s defaults does not reach it.';
comment on column invite.batches.metadata is 'The request''s metadata, shown beside the responses of this batch.';
comment on column invite.batches.scheduled_at is 'When the batch becomes due.';

create index batches_survey_idx on invite.batches (survey_id, accepted_at desc);
comment on index invite.batches_survey_idx is 'The newest batches of a survey.';

create table invite.workers (
  id uuid not null,
  pool_id text,
  hostname text not null,
  pid integer not null,
  started_at timestamptz not null default clock_timestamp(),
  heartbeat_at timestamptz not null default clock_timestamp(),
  constraint workers_pkey primary key (id)
);
comment on table invite.workers is 'One row a running worker process. A row whose heartbeat_at has stopped is a dead worker; the others recover what it held.';
comment on column invite.workers.pool_id is 'graphile-worker''s name for the process, as in jobs.locked_by.';

create table invite.invitations (
  id bigint generated always as identity,
  batch_id uuid not null,
  survey_id text collate "C" not null,
  link_token text collate "C" not null default translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_'),
  email text not null,
  name text,
  metadata jsonb,
  status invite.invitation_status not null default 'queued',
  mail invite.mail_kind not null default 'invitation',
  due_at timestamptz,
  sweep_at timestamptz,
  attempts smallint not null default 0,
  worker_id uuid,
  claim_id uuid,
  sent_at timestamptz,
  reminded_at timestamptz,
  responded_at timestamptz,
  last_error_code text,
  last_error text,
  relay_message_id text,
  constraint invitations_pkey primary key (id),
  constraint invitations_batch_fkey foreign key (batch_id) references invite.batches (id),
  constraint invitations_link_token_key unique (link_token),
  constraint invitations_email_length check (length(email) between 3 and 254),
  constraint invitations_name_length check (length(name) <= 255),
  constraint invitations_metadata_object check (jsonb_typeof(metadata) = 'object'),
  constraint invitations_due check ((status in ('queued', 'sending', 'waiting')) = (due_at is not null)),
  constraint invitations_swept check ((status = 'queued') = (sweep_at is not null)),
  constraint invitations_claimed check ((status = 'sending') = (claim_id is not null) and (claim_id is null) = (worker_id is null))
) with (fillfactor = 85);
comment on table invite.invitations is
  'One recipient of a batch, and the state machine of its mails: queued -> sending -> sent, queued -> waiting -> queued, '
  'sending -> queued (try again), and the ends failed, suppressed, cancelled. The reminder is the same row queued again with mail = reminder.';
comment on column invite.invitations.survey_id is 'The batch''s survey, copied for claims and requeueing.';
comment on column invite.invitations.link_token is 'The secret of the tracked link: 122 random bits as base64url. Never log it.';
comment on column invite.invitations.metadata is 'This recipient''s own metadata; its keys win over the batch''s.';
comment on column invite.invitations.due_at is 'When the row''s mail is to be sent. Null once nothing more is to be sent.';
comment on column invite.invitations.sweep_at is
  'When the sweep makes a job for a queued row: shortly before due_at for a reminder, which has none until then; '
  'an hour after the job should have run for all others, in case it was lost.';
comment on column invite.invitations.attempts is 'Attempts at the present mail. A pause of the whole relay counts none.';
comment on column invite.invitations.worker_id is 'The worker that holds the row while it is sending.';
comment on column invite.invitations.claim_id is 'The claim that holds the row: a settle of any other claim changes nothing.';
comment on column invite.invitations.sent_at is 'When the relay accepted the invitation mail.';
comment on column invite.invitations.reminded_at is 'When the relay accepted the reminder mail.';
comment on column invite.invitations.responded_at is 'When the recipient answered; from then on nothing is mailed.';
comment on column invite.invitations.last_error_code is 'Why the last attempt did not succeed: the relay''s code or ours.';
comment on column invite.invitations.relay_message_id is 'The relay''s own id of the last accepted mail.';

create index invitations_batch_idx on invite.invitations (batch_id);
create index invitations_email_idx on invite.invitations (lower(email));
create index invitations_waiting_idx on invite.invitations (survey_id, id) where status = 'waiting';
create index invitations_sweep_idx on invite.invitations (sweep_at) where status = 'queued';
create index invitations_sending_idx on invite.invitations (worker_id) where status = 'sending';
comment on index invite.invitations_batch_idx is 'A batch''s invitations.';
comment on index invite.invitations_email_idx is 'A recipient''s history.';
comment on index invite.invitations_waiting_idx is 'What to requeue when a survey becomes sendable. Partial: only the rare statuses are indexed.';
comment on index invite.invitations_sweep_idx is 'What the sweep makes jobs for: reminders that come near, and rows whose job was lost.';
comment on index invite.invitations_sending_idx is 'What a dead worker held.';

create table invite.responses (
  id bigint generated always as identity,
  survey_id text collate "C" not null,
  invitation_id bigint,
  answers jsonb not null,
  metadata jsonb,
  submitted_at timestamptz not null,
  constraint responses_pkey primary key (id),
  constraint responses_survey_fkey foreign key (survey_id) references invite.surveys (id),
  constraint responses_invitation_fkey foreign key (invitation_id) references invite.invitations (id),
  constraint responses_invitation_key unique (invitation_id),
  constraint responses_answers_object check (jsonb_typeof(answers) = 'object')
);
comment on table invite.responses is 'A submitted response.';
comment on column invite.responses.invitation_id is 'The invitation it came through; null for a response without a link. An invitation is answered once.';
comment on column invite.responses.metadata is 'The invitation''s metadata as it was at submission (batch''s, with the recipient''s own keys over it).';

create index responses_survey_idx on invite.responses (survey_id, id desc);
comment on index invite.responses_survey_idx is 'The newest responses of a survey.';

create table invite.suppressions (
  workspace_id text collate "C" not null,
  email text not null,
  reason invite.suppression_reason not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint suppressions_pkey primary key (workspace_id, email),
  constraint suppressions_workspace_fkey foreign key (workspace_id) references invite.workspaces (id) on delete cascade,
  constraint suppressions_email_folded check (email = lower(email))
);
comment on table invite.suppressions is 'Addresses that a workspace must not mail. Looked at when a mail is about to be sent.';

alter table invite.invitations set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
alter table invite.trigger_tokens set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
