-- What relays report after they have taken a mail: bounces, complaints, deliveries. Reported more than once, late, and in any order.

create type invite.relay_event_type as enum ('hard_bounce', 'soft_bounce', 'complaint', 'delivered', 'unsubscribe');
comment on type invite.relay_event_type is
  'What a relay reports of a mail. hard_bounce, complaint and unsubscribe suppress the address; the others are only recorded.';

create table invite.relay_events (
  relay text collate "C" not null,
  event_id text collate "C" not null,
  type invite.relay_event_type not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(),
  invitation_id bigint,
  given_invitation_id bigint,
  relay_message_id text,
  email text,
  detail text,
  constraint relay_events_pkey primary key (relay, event_id),
  constraint relay_events_invitation_fkey foreign key (invitation_id) references invite.invitations (id) on delete cascade,
  constraint relay_events_event_id_length check (length(event_id) between 1 and 255),
  constraint relay_events_detail_length check (length(detail) <= 500)
);
comment on table invite.relay_events is
  'What a relay has reported of a mail. One row an event, however often it is reported. An event that fits no invitation is dropped after a day.';
comment on column invite.relay_events.event_id is 'The relay''s id of the event, or made of what tells it apart: a repeat has the same.';
comment on column invite.relay_events.occurred_at is 'When it happened, by the relay''s clock.';
comment on column invite.relay_events.invitation_id is 'The invitation it is about. Null: none was found yet.';
comment on column invite.relay_events.given_invitation_id is
  'The invitation''s id in the relay''s metadata. Another installation on the same relay account has such ids too: see find_event_invitation.';
comment on column invite.relay_events.detail is 'The relay''s words, without web addresses: they could hold a tracked link.';

create index relay_events_invitation_idx on invite.relay_events (invitation_id) where invitation_id is not null;
create index relay_events_unmatched_idx on invite.relay_events (recorded_at) where invitation_id is null;
comment on index invite.relay_events_invitation_idx is 'What was reported of an invitation.';
comment on index invite.relay_events_unmatched_idx is 'Events that came before their mail was settled, for match_relay_events.';
