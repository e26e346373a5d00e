-- Refused trigger requests, counted by token, code and hour; and what the pages of the API trigger show.

create table invite.refusals (
  trigger_token_id uuid not null,
  hour timestamptz not null,
  code text not null,
  refused integer not null,
  last_at timestamptz not null,
  last_detail text,
  constraint refusals_pkey primary key (trigger_token_id, hour, code),
  constraint refusals_trigger_token_fkey foreign key (trigger_token_id) references invite.trigger_tokens (id) on delete cascade,
  constraint refusals_code_format check (code ~ '^[a-z_]{1,64}$'),
  constraint refusals_detail_length check (length(last_detail) <= 255)
);
comment on table invite.refusals is
  'Refused requests of known tokens, deleted ones too, by hour. The servers count them and write every few seconds. Kept for a week. '
  'No value of a request: no address, no secret.';
comment on column invite.refusals.code is 'The error code that the caller got.';
comment on column invite.refusals.refused is 'How many requests were refused so in that hour.';
comment on column invite.refusals.last_at is 'When the last of them was refused.';
comment on column invite.refusals.last_detail is 'What was wrong with the last of them: the field and the rule, never its value. Null: the code says it all.';

create index refusals_hour_idx on invite.refusals (hour);
comment on index invite.refusals_hour_idx is 'What prune_refusals deletes.';

-- With the deleted tokens: a caller that still uses one is told of on the survey's page.
drop index invite.trigger_tokens_survey_idx;
create index trigger_tokens_survey_idx on invite.trigger_tokens (survey_id);
comment on index invite.trigger_tokens_survey_idx is 'The tokens of a survey.';

create type invite.token_card as (
  id uuid, name text, secret_hint text, cooldown_seconds integer, default_subject text, default_message text,
  default_reminder_days integer, default_reminder_subject text, default_reminder_message text, last_accepted_at timestamptz,
  created_by text, created_at timestamptz, refused integer, survey_public_url text
);
comment on type invite.token_card is 'A trigger token on its survey''s page. refused: its refused requests of the last 24 hours. survey_public_url: for the preview of its mail.';

create type invite.refusal_card as (
  token_id uuid, token_name text, secret_hint text, deleted boolean, code text, refused_day integer, refused_week integer,
  last_at timestamptz, last_detail text
);
comment on type invite.refusal_card is 'The refused requests of a token with one code, in the last 24 hours and in the last week.';

-- An argument more, the id; re-created with the functions.
drop function if exists invite.create_trigger_token(text, text, bytea, text, integer, text, text, integer, text, text, text);
