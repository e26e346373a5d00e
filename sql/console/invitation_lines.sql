/*
 * unsent_causes says why a message hasn't been sent. It leaves out the job, because a query for that reads all jobs. The fence keeps
 * the view apart: joined, it has too many tables to be planned as a whole, and all unsent messages would be read. Pins: lookup plan, offset
 * 0 fence.
 */
create function console.invitation_lines(invitation_ids bigint[]) returns setof console.invitation
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  return query
    select
      i.id, i.batch_id, i.email, i.name, invite.display_status(m.status, m.message_kind), i.message_kind,
      i.due_at, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.attempts, i.last_error,
      i.status, i.last_error_code, null::jsonb,
      u.unsent_reason, u.hold_reason, u.suppression_reason, u.suppressed_at, u.relay, u.relay_code,
      (select max(o.outcome) from invite.invitation_outcomes as o where o.invitation_id = i.id),
      u.leave_by, null::text, null::timestamptz
    from unnest(invitation_lines.invitation_ids) with ordinality as l (id, place)
    join invite.messages as m on m.invitation_id = l.id and m.is_last
    cross join lateral (select o.* from invite.invitation_overview as o where o.id = l.id offset 0) as i
    left join lateral (select v.* from invite.unsent_causes as v where v.id = i.id offset 0) as u on true
    order by l.place;
end
$$;
comment on function console.invitation_lines(bigint[]) is 'Invitations as a survey''s page shows them, in the order given.';
