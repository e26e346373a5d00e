/*
 * Pins: lookup plan, offset 0 fence.
 */
create function console.recipient_lines(invitation_ids bigint[]) returns setof console.recipient
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  return query
    select
      l.id, l.batch_id, l.email, l.name, l.status, l.message_kind, l.due_at, l.sent_at, l.reminded_at, l.responded_at, l.cancelled_at,
      l.attempts, l.last_error, l.message_status, l.last_error_code, l.metadata, l.unsent_reason, l.hold_reason, l.suppression_reason,
      l.suppressed_at, l.relay, l.relay_code, l.outcome, s.id, s.title, b.accepted_at, p.reason, p.created_at
    from console.invitation_lines(recipient_lines.invitation_ids) as l
    join invite.batches as b on b.id = l.batch_id
    join invite.surveys as s on s.id = b.survey_id
    left join lateral (
      select x.* from invite.suppressions as x where x.workspace_id = b.workspace_id and x.email = lower(l.email) offset 0
    ) as p on true;
end
$$;
comment on function console.recipient_lines(bigint[]) is 'Invitations with their survey and whether their address may be emailed, in no order.';
