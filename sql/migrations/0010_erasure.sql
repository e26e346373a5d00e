-- Erasing personal data: of settled invitations after RETENTION_DAYS, and of one address on request.

alter table invite.invitations
  alter column email drop not null,
  add column failed_at timestamptz,
  add column erased_at timestamptz,
  -- With invitations_due: what is to be sent is never erased, so that no mail has a null for an address.
  add constraint invitations_erased check (
    case when erased_at is null then email is not null else num_nonnulls(email, name, last_error, due_at) = 0 end
  );
comment on column invite.invitations.email is 'Null once it is erased.';
comment on column invite.invitations.failed_at is 'When it last ended as failed or suppressed.';
comment on column invite.invitations.erased_at is
  'When address, name and the relay''s words (last_error) were erased. The link, the metadata and the times stay.';

-- Here as well as in sql/functions, because the index needs it, and holds its answers: it must not change without a new index.
create function invite.last_event_at(
  batch_id uuid, sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz,
  failed_at timestamptz
) returns timestamptz
language sql immutable parallel safe
as $$
  select greatest(
    to_timestamp(('x' || substr(replace(batch_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0),
    sent_at, reminded_at, responded_at, cancelled_at, failed_at)
$$;

create index invitations_retained_idx
  on invite.invitations (invite.last_event_at(batch_id, sent_at, reminded_at, responded_at, cancelled_at, failed_at))
  where due_at is null and erased_at is null;
comment on index invite.invitations_retained_idx is 'What erase_expired takes: settled invitations that still have an address.';

create type invite.erase_answer as (
  erased integer,
  cancelled integer,
  still_sending integer
);
comment on type invite.erase_answer is
  'erased: invitations that have no address any more. cancelled: mails that were pending and will not be sent. still_sending: with a worker or '
  'the relay; nothing follows them, and they are not erased yet: call again.';
