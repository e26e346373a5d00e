/*
 * Deletes whole batches, in the order of their acceptance. All invitations of a batch must have ended before that time, and nothing may
 * have happened to them since. Responses stay. The newest batch of each token stays, and so the newest batch of the workspace: the cooldown
 * and the quota are computed from them.
 *
 * Pins: lookup plan. Locks: as lock_invitations, without waiting: what somebody else has locked stays, with its batch.
 */
create or replace function invite.prune_batches(before timestamptz, max_rows integer) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_batches uuid[];
  v_ids bigint[];
  v_deleted integer;
begin
  v_batches := array(
    select c.id
    from (
      select b.id, sum(b.recipients) over (order by b.id) - b.recipients as recipients_before
      from (
        select n.id, n.recipients
        from invite.batches as n
        where n.id < invite.uuidv7(prune_batches.before)
          and exists (select from invite.batches as k where k.trigger_token_id = n.trigger_token_id and k.workspace_total > n.workspace_total)
          and not exists (
            select from invite.invitations as i
            join invite.messages as m on m.invitation_id = i.id and m.is_last
            where i.batch_id = n.id and (
              m.not_before is not null
              or greatest(i.responded_at, invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at)) > prune_batches.before
            )
          )
        order by n.id
        limit prune_batches.max_rows
      ) as b
    ) as c
    where c.recipients_before < prune_batches.max_rows
  );
  v_ids := invite.lock_invitations(array(select i.id from invite.invitations as i where i.batch_id = any (v_batches)), false);
  -- Looks again: a message may have been retried until it was locked.
  delete from invite.invitations as i
  where i.id = any (array(
    select o.id
    from invite.invitations as o
    join invite.messages as m on m.invitation_id = o.id and m.is_last
    where o.id = any (v_ids) and m.not_before is null
      and greatest(o.responded_at, invite.ended_at(m.sent_at, m.failed_at, m.skipped_at, m.cancelled_at)) <= prune_batches.before));
  get diagnostics v_deleted = row_count;
  delete from invite.batches as b
  where b.id = any (v_batches) and not exists (select from invite.invitations as i where i.batch_id = b.id);
  return v_deleted;
end
$$;
comment on function invite.prune_batches(timestamptz, integer) is
  'One bounded step of deleting batches that ended before a time, with their invitations. Returns how many invitations.';
