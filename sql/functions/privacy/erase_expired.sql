/*
 * Erases invitations to which nothing has happened for retention_days. A pending message needs its address, no matter how old it is. So does
 * the choice of at most one invitation a month, for 30 days.
 *
 * Reads again at each call what was responded to after the last message, until the response is as old.
 *
 * Pins: lookup plan, offset 0 fence. Locks: as lock_invitations, without waiting: what is locked now is erased an hour later.
 */
create or replace function invite.erase_expired(
  retention_days integer, max_rows integer default 5000, at timestamptz default null
) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(erase_expired.at);
  v_before timestamptz := v_now - erase_expired.retention_days * interval '1 day';
  v_expired bigint[];
  v_erased integer;
begin
  v_expired := array(
    select m.invitation_id
    from invite.messages as m
    join invite.invitations as i on i.id = m.invitation_id
    where m.is_last and m.not_before is null and not m.is_erased
      and invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at) <= v_before
      and coalesce(i.responded_at, '-infinity') <= v_before
      and not (
        invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at) > v_now - interval '30 days'
        and exists (
          select from invite.recipient_choices as c
          where c.workspace_id = i.workspace_id and c.email = lower(i.email) and c.survey_id = ''
          offset 0
        )
      )
    order by m.is_last, invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at)
    limit erase_expired.max_rows
    for update of m, i skip locked
  );
  v_erased := (invite.erase_invitations(invite.lock_invitations(v_expired, false), v_now)).erased;
  if cardinality(v_expired) >= erase_expired.max_rows then
    perform graphile_worker.add_job('erase_expired');
  end if;
  return v_erased;
end
$$;
comment on function invite.erase_expired(integer, integer, timestamptz) is
  'One bounded step of erasing settled invitations after the retention; queues the next step itself. Returns how many were erased.';
