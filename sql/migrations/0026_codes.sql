-- Codes for what pages and views say in words.

create type invite.hold_reason as enum ('workspace_suspended', 'plan_required', 'survey_disabled', 'survey_draft', 'survey_closed');
comment on type invite.hold_reason is
  'Why the email of a survey is held; invite.hold_reason decides it. The first that applies, in the order in which a trigger request is checked.';

alter type invite.survey_frame add attribute hold_reason invite.hold_reason;
alter type invite.survey_counts drop attribute held_because;
comment on type invite.survey_counts is 'The invitations of a survey by status; each count is at most what was asked for.';
alter type invite.survey_card alter attribute held_because type invite.hold_reason;
alter type invite.survey_card rename attribute held_because to hold_reason;

create type invite.unsent_reason as enum (
  'failed', 'suppressed', 'cancelled', 'sending', 'held', 'requeueing', 'retry_later', 'not_due', 'no_worker', 'relay_paused', 'job_running',
  'job_lost', 'job_postponed', 'ready'
);
comment on type invite.unsent_reason is
  'Why an email hasn''t been sent. Decided by the views unsent_invitations and, for what depends on its job (job_running, job_lost, job_postponed), '
  'unsent_messages. ready: nothing stops it, and it is about to be sent.';

create type invite.history_event as enum (
  'accepted', 'invitation_due', 'invitation_sent', 'reminder_due', 'reminder_sent', 'response_recorded', 'failed', 'suppressed', 'cancelled',
  'erased', 'relay_delivered', 'relay_soft_bounce', 'relay_hard_bounce', 'relay_complaint', 'relay_unsubscribe'
);
comment on type invite.history_event is
  'What happened to an invitation, for the view invitation_history. Those that begin with relay_ are the relay''s reports: relay_ and the relay_event_type.';

alter type invite.invitation_line
  drop attribute why,
  add attribute unsent_reason invite.unsent_reason,
  add attribute hold_reason invite.hold_reason,
  add attribute suppression_reason invite.suppression_reason,
  add attribute suppressed_at timestamptz,
  add attribute relay text,
  add attribute relay_code text;
comment on type invite.invitation_line is
  'An invitation on its survey''s page, without its link token. status: as people see it (shown_status); mail_status: of its present mail. '
  'unsent_reason: why that mail hasn''t been sent, as in unsent_invitations with what follows; null: it was. metadata: null in a list.';
alter type invite.invitation_event alter attribute event type invite.history_event;

create type invite.audit_action as enum (
  'member_added', 'member_changed', 'member_removed', 'token_created', 'token_changed', 'token_deleted', 'survey_state_changed',
  'batch_cancelled', 'batch_retried', 'invitation_cancelled', 'invitation_retried'
);
comment on type invite.audit_action is 'What was done, in the audit log.';
alter table invite.audit_log
  drop constraint audit_log_action_format,
  alter column action type invite.audit_action using action::invite.audit_action;
