-- accept_triggers: many requests in one call. The types of its answers and of the check carry the request's number; re-created with the functions.

drop function if exists invite.accept_trigger(
  bytea, jsonb, text, text, integer, jsonb, integer, timestamptz, integer, text, bytea, timestamptz
);
drop function if exists invite.check_trigger(bytea, timestamptz);
drop function if exists invite.take_volume(text, integer, integer, timestamptz);
drop function if exists invite.find_replay(uuid, text, bytea, timestamptz);

alter type invite.trigger_answer add attribute request integer;
comment on type invite.trigger_answer is
  'The answer to one trigger request. request: its place in the call, from 0. batch_id, scheduled_at, status and replayed are null unless '
  'the outcome is accepted. replayed: the batch was queued by an earlier request with the same idempotency key.';

drop type invite.trigger_check;
create type invite.trigger_check as (
  request integer,
  token_id uuid,
  survey_id text,
  workspace_id text,
  recipients integer,
  answer invite.trigger_answer
);
comment on type invite.trigger_check is
  'What check_triggers says of one request. answer: null if nothing stands against it at that moment; otherwise a refusal, or the replay of an earlier batch.';
