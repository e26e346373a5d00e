/*
 * Workspaces take turns: the first email of each comes before the second of any. What a lost worker had is due again when its lease ends; its key
 * is the same, so a relay that knows keys sends it once.
 *
 * Pins: lookup plan. Locks: the emails (for no key update, skip locked).
 */
create or replace function invite.claim_notifications(max_rows integer, lease_seconds integer, at timestamptz default null)
returns setof invite.claimed_notification
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_now constant timestamptz := invite.clock(claim_notifications.at);
begin
  if not exists (select from invite.notifications as n where n.due_at <= v_now) then
    return;
  end if;
  return query
  with due as (
    select n.id
    from (
      select x.id, x.due_at, row_number() over (partition by m.workspace_id order by x.due_at, x.id) as turn
      from invite.notifications as x
      join invite.notified_members as m on m.id = x.notified_id
      join invite.workspaces as w on w.id = m.workspace_id and w.moved_to is null
      where x.due_at <= v_now
    ) as t
    join invite.notifications as n on n.id = t.id and n.due_at <= v_now
    order by t.turn, t.due_at, t.id
    limit claim_notifications.max_rows
    for no key update of n skip locked
  )
  update invite.notifications as n
  set
    attempts = n.attempts + 1, due_at = v_now + claim_notifications.lease_seconds * interval '1 second',
    leased_until = v_now + claim_notifications.lease_seconds * interval '1 second'
  from due as d
  where n.id = d.id
  returning n.id, n.attempts;
end
$$;
comment on function invite.claim_notifications(integer, integer, timestamptz) is 'Claims emails to members that are due.';
