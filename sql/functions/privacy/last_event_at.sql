/*
 * When something last happened to a settled invitation; if nothing ever did, when its batch was accepted. A failure counts, so that a
 * mail that waited for long and then failed can still be looked at.
 *
 * The acceptance is taken out of the batch's id (uuidv7), because an index cannot look into another table. The index
 * invitations_retained_idx holds the answers: a change needs a new index, in a migration that creates this function as well.
 *
 * Called by: erase_expired and the index. Locks: none.
 */
create or replace function invite.last_event_at(
  batch_id uuid, sent_at timestamptz, reminded_at timestamptz, responded_at timestamptz, cancelled_at timestamptz,
  failed_at timestamptz
) returns timestamptz
language sql immutable parallel safe
as $$
  select greatest(
    to_timestamp(('x' || substr(replace(batch_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0),
    sent_at, reminded_at, responded_at, cancelled_at, failed_at)
$$;
comment on function invite.last_event_at(uuid, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz) is
  'When an invitation was last sent, reminded, answered, cancelled or failed; at least when its batch was accepted.';
