-- Sending again by hand what has failed, and holding for that what may have been sent.

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

-- RELAY_UNKNOWN=hold: what may have been sent is not sent again by itself.

alter type invite.delivery_outcome add value 'unconfirmed' after 'unknown';

alter table invite.invitations add column unconfirmed_since timestamptz;
comment on column invite.invitations.unconfirmed_since is
  'Since when the present mail may have been sent: its first attempt of which that is not known. Null: there was none.';

create index invitations_unconfirmed_idx on invite.invitations (unconfirmed_since)
where status = 'failed' and last_error_code = 'unconfirmed';
comment on index invite.invitations_unconfirmed_idx is 'What an event of the relay may still confirm, for confirm_invitations.';

-- A signature and a return type change; re-created with the functions.
drop function if exists invite.recover_workers(integer, uuid, timestamptz, integer);
drop function if exists invite.claim_invitations(text, bigint[], uuid, timestamptz, text, numeric, uuid);
alter type invite.claimed_invitation add attribute unconfirmed_since timestamptz;
