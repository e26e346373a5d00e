-- Members sign in by a link in a mail; a session is a row. Only SHA-256 hashes of the secrets are stored.

create table invite.sign_in_links (
  id uuid not null default gen_random_uuid(),
  email text not null,
  next_path text,
  secret_hash bytea,
  requested_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz,
  constraint sign_in_links_pkey primary key (id),
  constraint sign_in_links_secret_hash_key unique (secret_hash),
  constraint sign_in_links_secret_hash_sha256 check (length(secret_hash) = 32),
  constraint sign_in_links_email_folded check (email = lower(email) and length(email) between 3 and 254),
  constraint sign_in_links_next_own check (next_path ~ '^/([^/\\[:space:][:cntrl:]][^\\[:space:][:cntrl:]]*)?$' and length(next_path) <= 500),
  constraint sign_in_links_issued check ((secret_hash is null) = (expires_at is null))
);
comment on table invite.sign_in_links is
  'Requests to sign in, of unknown addresses too: what is asked for must cost the same time whether the address is known. Kept for a day.';
comment on column invite.sign_in_links.next_path is 'The page of ours that was asked for before signing in. Null: the start page.';
comment on column invite.sign_in_links.secret_hash is 'SHA-256 of the secret in the link. Null until the worker has made one; a second mail replaces it.';
comment on column invite.sign_in_links.expires_at is 'Until when the link signs in. Null until the worker has made one.';
comment on column invite.sign_in_links.used_at is 'When the link has signed somebody in; it does so once. Null: not yet.';

create index sign_in_links_email_idx on invite.sign_in_links (email, requested_at);
comment on index invite.sign_in_links_email_idx is 'The requests of an address, for their limit.';

create table invite.sessions (
  secret_hash bytea not null,
  email text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  constraint sessions_pkey primary key (secret_hash),
  constraint sessions_secret_hash_sha256 check (length(secret_hash) = 32)
);
comment on table invite.sessions is
  'Who is signed in. A session ends 14 days after created_at, 2 days after seen_at, or with its row: deleting it signs out.';
comment on column invite.sessions.secret_hash is 'SHA-256 of the secret in the cookie.';
comment on column invite.sessions.seen_at is 'When the session was last used, to five minutes.';

create index sessions_email_idx on invite.sessions (email);
comment on index invite.sessions_email_idx is 'The sessions of a person, to end them.';

create index members_email_idx on invite.members (email);
comment on index invite.members_email_idx is 'The workspaces of a person.';

create type invite.signed_in as (email text, next_path text);
comment on type invite.signed_in is 'Who has signed in, and where to go on. Nulls: the link is unknown, used or expired.';

create type invite.visitor as (email text, workspaces jsonb);
comment on type invite.visitor is 'Who uses a session, and the workspaces of that person: [{id, name, role}]. Nulls: the session is unknown or has ended.';

create type invite.survey_frame as (
  survey_id text, title text, state invite.survey_state, workspace_id text, workspace_name text, role invite.member_role
);
comment on type invite.survey_frame is 'What the pages of a survey show around their content, and the role of who looks.';

create type invite.survey_card as (
  survey_id text, title text, state invite.survey_state, held_because text, responses integer, responded integer, invited integer,
  counts jsonb, capped boolean
);
comment on type invite.survey_card is
  'A survey on its workspace''s page. counts: invitations by status, null for viewers. invited: those that were sent; responded: those of '
  'them that were answered. capped: there are more, only the newest were counted.';
