/*
 * A message that is rejected for its content says nothing about the relay. So the probe is a first attempt, of another workspace than the
 * last rejected message. If no claim has such a message within ten seconds after the pause, the probe is a first attempt of any workspace,
 * or else a retry.
 *
 * The caller has locked the relay's row, and found that these messages may leave.
 */
create or replace function invite.choose_probe(relay invite.relays, invitation_ids bigint[], at timestamptz) returns bigint
language sql stable
as $$
  select c.id
  from (
    select i.id, m.attempts > 0 or m.failed_at is not null as tried,
      i.workspace_id is not distinct from (choose_probe.relay).rejected_workspaces[cardinality((choose_probe.relay).rejected_workspaces)] as rejected
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    where m.invitation_id = any (choose_probe.invitation_ids) and m.is_last
  ) as c
  where not (c.tried or c.rejected) or (choose_probe.relay).paused_until <= choose_probe.at - interval '10 seconds'
  order by c.tried, c.rejected, c.id
  limit 1
$$;
comment on function invite.choose_probe(invite.relays, bigint[], timestamptz) is
  'Which of these invitations is the probe that is sent to a relay after a fault; null: none of them now.';
