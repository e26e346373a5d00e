/*
 * For functions that change messages of one workspace by hand: their next statements see what was committed before the locks.
 *
 * Locks: the messages, by invitation (for no key update); the clock is read after it. Pins: lookup plan.
 */
create or replace function invite.lock_messages(invitation_ids bigint[], at timestamptz) returns timestamptz
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  perform from invite.messages as m
  where m.invitation_id = any (lock_messages.invitation_ids)
  order by m.invitation_id, m.number
  for no key update;
  if invite.is_test(lock_messages.invitation_ids[1]) then
    return invite.clock_of((select i.workspace_id from invite.invitations as i where i.id = lock_messages.invitation_ids[1]), lock_messages.at);
  end if;
  return invite.clock(lock_messages.at);
end
$$;
comment on function invite.lock_messages(bigint[], timestamptz) is 'Locks the messages of these invitations. Returns the time after that, or the given one.';
