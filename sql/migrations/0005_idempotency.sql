-- Idempotency keys: a repeated request with the same key is answered with the batch that the first one queued.

create table invite.idempotency_keys (
  trigger_token_id uuid not null,
  key text collate "C" not null,
  payload_hash bytea not null,
  batch_id uuid not null,
  created_at timestamptz not null,
  constraint idempotency_keys_pkey primary key (trigger_token_id, key),
  constraint idempotency_keys_trigger_token_fkey
    foreign key (trigger_token_id) references invite.trigger_tokens (id) on delete cascade,
  constraint idempotency_keys_batch_fkey foreign key (batch_id) references invite.batches (id) on delete cascade,
  constraint idempotency_keys_batch_key unique (batch_id),
  constraint idempotency_keys_key_length check (length(key) between 1 and 255),
  constraint idempotency_keys_payload_hash_sha256 check (length(payload_hash) = 32)
);
comment on table invite.idempotency_keys is
  'Keys of accepted requests, each for 24 hours; what is older is no longer looked at, and pruned. Refused requests leave none.';
comment on column invite.idempotency_keys.key is 'The header Idempotency-Key as it was sent; the caller''s own, one space of keys a token.';
comment on column invite.idempotency_keys.payload_hash is
  'SHA-256 of the checked payload, without the secret: the same key with another payload is refused.';
comment on column invite.idempotency_keys.created_at is 'When the request was accepted.';

create index idempotency_keys_created_idx on invite.idempotency_keys (created_at);
comment on index invite.idempotency_keys_created_idx is 'What is to be pruned.';

alter type invite.trigger_outcome add value 'idempotency_key_reused' after 'unknown_token';

-- The signature and the return type change; re-created with the functions.
drop function if exists invite.accept_trigger(
  bytea, jsonb, text, text, integer, jsonb, integer, timestamptz, integer, timestamptz
);
alter type invite.trigger_answer add attribute replayed boolean;
comment on type invite.trigger_answer is
  'accept_trigger''s answer. batch_id, scheduled_at, status and replayed are null unless the outcome is accepted. '
  'replayed: the batch was queued by an earlier request with the same idempotency key.';
