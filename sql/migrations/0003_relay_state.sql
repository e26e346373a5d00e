-- What all workers know of the relay together: whether it is to be left alone, until when and why, and its rate.

create type invite.relay_condition as enum ('healthy', 'busy', 'fault');
comment on type invite.relay_condition is
  'busy: it asked for a pause (Retry-After). fault: its key, the sender or the quota is at fault, or it refuses everything; one mail at a time probes it.';

create table invite.relays (
  id text collate "C" not null,
  condition invite.relay_condition not null default 'healthy',
  since timestamptz not null default clock_timestamp(),
  paused_until timestamptz,
  probing boolean not null default false,
  code text,
  detail text,
  faults integer not null default 0,
  rejected_in_a_row integer not null default 0,
  allowance numeric not null default 0,
  allowance_at timestamptz not null default clock_timestamp(),
  constraint relays_pkey primary key (id)
) with (fillfactor = 50);
comment on table invite.relays is 'The state of each relay, shared by all workers. A relay without a row is healthy.';
comment on column invite.relays.since is 'Since when the relay is in its condition.';
comment on column invite.relays.paused_until is 'Nothing is sent before; in a fault, one probe is sent then.';
comment on column invite.relays.probing is 'Whether a probe has been sent after the last pause for a fault.';
comment on column invite.relays.code is 'Code of the answer that led to the condition.';
comment on column invite.relays.detail is 'Text of that answer, for people.';
comment on column invite.relays.faults is 'Faults since the relay last took a mail: the pause doubles with each.';
comment on column invite.relays.rejected_in_a_row is 'Mails refused for what they are, not for whom they are to, since the last one that was taken.';
comment on column invite.relays.allowance is 'Mails that RELAY_RATE allows at allowance_at: a token bucket, of one second''s worth.';

create type invite.admission as (
  allowed integer,
  again_at timestamptz
);
comment on type invite.admission is 'How many mails may be sent now, and when to ask again for the others.';

drop function if exists invite.claim_invitations(text, bigint[], uuid, timestamptz);
drop function if exists invite.settle_invitations(jsonb, integer, timestamptz);
