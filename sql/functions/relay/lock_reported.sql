/*
 * The last of the settle and the report counts a bounce: hence the messages. The invitations as the foreign keys of the
 * rows would lock them, but in the order of their ids.
 *
 * Locks: the first messages of those that bounced, by invitation (for no key update), then the invitations, by id (for key share).
 */
create or replace function invite.lock_reported(invitation_ids bigint[], bounced_ids bigint[]) returns void
language plpgsql volatile
as $$
begin
  perform from invite.messages as m
  where m.invitation_id = any (lock_reported.bounced_ids) and m.number = 0
  order by m.invitation_id
  for no key update;
  perform from invite.invitations as i
  where i.id = any (lock_reported.bounced_ids)
  order by i.id
  for no key update;
  perform from invite.invitations as i
  where i.id = any (lock_reported.invitation_ids)
  order by i.id
  for key share;
end
$$;
comment on function invite.lock_reported(bigint[], bigint[]) is 'Locks the invitations that relay events are about.';
