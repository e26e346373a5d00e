-- Composite types that functions take and return. Named types, because `returns table (x …)` makes every x in a body ambiguous.

create type invite.trigger_outcome as enum (
  'accepted', 'unknown_token', 'workspace_disabled', 'plan_required', 'survey_disabled', 'cooldown', 'flood_protection'
);
comment on type invite.trigger_outcome is 'What becomes of a trigger request, in the order in which it is decided.';

create type invite.trigger_check as (
  outcome invite.trigger_outcome,
  retry_after_seconds integer,
  token_id uuid,
  survey_id text,
  workspace_id text
);
comment on type invite.trigger_check is 'check_trigger''s answer: accepted means that nothing stands against it at that moment.';

create type invite.trigger_answer as (
  outcome invite.trigger_outcome,
  retry_after_seconds integer,
  batch_id uuid,
  scheduled_at timestamptz,
  status text
);
comment on type invite.trigger_answer is 'accept_trigger''s answer. The last three are null unless the outcome is accepted.';

create type invite.wake as (
  survey_id text,
  invitation_id bigint,
  run_at timestamptz
);
comment on type invite.wake is 'An invitation and when a job is to look at it.';

create type invite.delivery_outcome as enum (
  'accepted', 'retry', 'unknown', 'config', 'released', 'suppressed', 'rejected'
);
comment on type invite.delivery_outcome is 'What became of one attempt at a mail; settle_invitations says what follows from each.';

create type invite.claimed_invitation as (
  id bigint,
  claim_id uuid,
  mail invite.mail_kind,
  attempts smallint,
  email text,
  name text,
  link_token text,
  batch_id uuid,
  subject text,
  message text,
  survey_id text,
  survey_title text,
  survey_public_url text,
  workspace_name text
);
comment on type invite.claimed_invitation is 'What a worker needs to render and send one claimed mail.';

create type invite.survey_page as (
  survey_id text,
  workspace_name text,
  title text,
  state invite.survey_state,
  questions jsonb,
  public_url text,
  link text
);
comment on type invite.survey_page is
  'What the survey page shows. state is closed for a disabled survey or suspended workspace. public_url: the product''s own page, where the service''s page leads. '
  'link: none, open, answered or unknown.';

create type invite.response_answer as (
  outcome text,
  response_id bigint
);
comment on type invite.response_answer is
  'outcome: recorded; already_answered (response_id is the earlier response); unknown_invitation; and from submit_response survey_not_open, survey_closed, unknown_survey.';

create type invite.unsubscribe_page as (
  workspace_name text,
  email text,
  unsubscribed boolean
);
comment on type invite.unsubscribe_page is 'What the unsubscribe page shows for a link.';
