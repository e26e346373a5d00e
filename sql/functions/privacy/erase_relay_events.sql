/*
 * The event's id stays, so that a repeat is recognized; its type and time stay too. Also called for events that come after the erasure.
 * Locks: the events.
 */
create or replace function invite.erase_relay_events(invitation_ids bigint[]) returns void
language sql volatile
as $$
  update invite.relay_events as e
  set email = null, detail = null
  from invite.invitations as i
  where i.id = any (erase_relay_events.invitation_ids)
    and i.erased_at is not null
    and e.invitation_id = i.id
    and num_nonnulls(e.email, e.detail) > 0
$$;
comment on function invite.erase_relay_events(bigint[]) is
  'Erases address and text of the relay events of erased invitations.';
