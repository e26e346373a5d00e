/*
 * For those who erase or delete: nobody sends, responds to or reports on these invitations until the transaction ends. Everyone who locks
 * both locks messages first, by invitation and number, and then invitations, by id; so they never wait for each other in a circle.
 *
 * waits: whether to wait for the locks of others; otherwise invitations of which anything is locked are left out. A reminder may have been
 * queued until the lock was obtained, so the caller looks at the rows again.
 *
 * Pins: lookup plan. Locks: the messages and the invitations (for update); without waiting also what is deleted with them.
 */
create or replace function invite.lock_invitations(invitation_ids bigint[], waits boolean) returns bigint[]
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_ids bigint[];
begin
  if lock_invitations.waits then
    perform from invite.messages as m where m.invitation_id = any (lock_invitations.invitation_ids) order by m.invitation_id, m.number for update;
    return array(select i.id from invite.invitations as i where i.id = any (lock_invitations.invitation_ids) order by i.id for update);
  end if;
  with locked as materialized (
    select m.invitation_id, m.number, m.is_last
    from invite.messages as m
    where m.invitation_id = any (lock_invitations.invitation_ids)
    order by m.invitation_id, m.number
    for update skip locked
  )
  select array_agg(l.invitation_id) into v_ids
  from (
    select k.invitation_id from locked as k group by k.invitation_id having bool_or(k.is_last) and count(*) = max(k.number) + 1
  ) as l;
  v_ids := array(select i.id from invite.invitations as i where i.id = any (v_ids) order by i.id for update skip locked);
  return array(
    select i.id
    from invite.invitations as i
    where i.id = any (v_ids)
      and (select count(*) from invite.addresses as x where x.workspace_id = i.workspace_id and x.email = lower(i.email) and x.invitation_id = i.id)
      = (select count(*) from (
        select from invite.addresses as x where x.workspace_id = i.workspace_id and x.email = lower(i.email) and x.invitation_id = i.id
        for update skip locked) as l)
      and (select count(*) from invite.relay_events as x where x.invitation_id = i.id)
      = (select count(*) from (select from invite.relay_events as x where x.invitation_id = i.id for update skip locked) as l)
      and (select count(*) from invite.invitation_outcomes as x where x.invitation_id = i.id)
      = (select count(*) from (select from invite.invitation_outcomes as x where x.invitation_id = i.id for update skip locked) as l)
      and (not invite.is_test(i.id) or (select count(*) from invite.test_emails as x where x.invitation_id = i.id)
        = (select count(*) from (select from invite.test_emails as x where x.invitation_id = i.id for update skip locked) as l)
        and (select count(*) from invite.test_plans as x where x.invitation_id = i.id)
        = (select count(*) from (select from invite.test_plans as x where x.invitation_id = i.id for update skip locked) as l)));
end
$$;
comment on function invite.lock_invitations(bigint[], boolean) is 'Locks invitations with all their messages. Returns the ids of those that are locked.';
