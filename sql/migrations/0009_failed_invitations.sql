-- Sending again by hand what has failed.

create type invite.retry_answer as (
  queued integer,
  left_alone integer,
  next_id bigint
);
comment on type invite.retry_answer is
  'queued: failed mails that will be sent again. left_alone: failed ones that will not, because their recipient has answered or they were '
  'cancelled. next_id: the step was full, call again with after_id => next_id; null: that was all.';

create index invitations_failed_idx on invite.invitations (survey_id, id) where status = 'failed';
comment on index invite.invitations_failed_idx is 'What has failed of a survey, for retry_survey.';
