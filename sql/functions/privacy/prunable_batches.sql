/*
 * Batches in the order of their acceptance. All their invitations have ended before that time, and nothing has happened to them since. The
 * newest batch of each token is none of them, and so not the newest of the workspace: the cooldown and the quota are computed from these.
 * Pins: lookup plan.
 */
create or replace function invite.prunable_batches(before timestamptz, max_rows integer) returns table (id uuid, recipients integer)
language sql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
  select n.id, n.recipients
  from invite.batches as n
  where n.id < (select invite.uuidv7(prunable_batches.before))
    and exists (select from invite.batches as k where k.trigger_token_id = n.trigger_token_id and k.workspace_total > n.workspace_total)
    and not exists (
      select from invite.invitations as i
      join invite.messages as m on m.invitation_id = i.id and m.is_last
      where i.batch_id = n.id and (
        m.not_before is not null
        or greatest(i.responded_at, invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at)) > prunable_batches.before
      )
    )
  order by n.id
  limit prunable_batches.max_rows
$$;
comment on function invite.prunable_batches(timestamptz, integer) is 'The oldest batches that ended before a time, with their recipients.';
