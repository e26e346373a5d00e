-- Codes for what pages and views say in words.

create type invite.hold_reason as enum ('workspace_suspended', 'plan_required', 'survey_disabled', 'survey_draft', 'survey_closed');
comment on type invite.hold_reason is
  'Why the email of a survey is held; invite.hold_reason decides it. The first that applies, in the order in which a trigger request is checked.';

alter type invite.survey_frame add attribute hold_reason invite.hold_reason;
alter type invite.survey_counts drop attribute held_because;
comment on type invite.survey_counts is 'The invitations of a survey by status; each count is at most what was asked for.';
alter type invite.survey_card alter attribute held_because type invite.hold_reason;
alter type invite.survey_card rename attribute held_because to hold_reason;
