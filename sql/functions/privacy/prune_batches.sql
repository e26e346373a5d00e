/*
 * Deletes whole batches, in the order of their acceptance. All invitations of a batch must have ended before that time, and nothing may
 * have happened to them since. Responses stay. The newest batch of each token stays, and so the newest batch of the workspace: the cooldown
 * and the quota are computed from them.
 *
 * Pins: lookup plan. Locks: the invitations (for update, skip locked): what somebody else has locked stays, with its batch.
 */
create or replace function invite.prune_batches(before timestamptz, max_rows integer) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_batches uuid[];
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
            where i.batch_id = n.id and (
              i.due_at is not null
              or invite.last_event_at(i.batch_id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at) > prune_batches.before
            )
          )
        order by n.id
        limit prune_batches.max_rows
      ) as b
    ) as c
    where c.recipients_before < prune_batches.max_rows
  );
  delete from invite.invitations as i
  where i.id = any (array(
    select o.id
    from invite.invitations as o
    where o.batch_id = any (v_batches) and o.due_at is null
      and invite.last_event_at(o.batch_id, o.sent_at, o.reminded_at, o.responded_at, o.cancelled_at, o.failed_at) <= prune_batches.before
    for update skip locked));
  get diagnostics v_deleted = row_count;
  delete from invite.batches as b
  where b.id = any (v_batches) and not exists (select from invite.invitations as i where i.batch_id = b.id);
  return v_deleted;
end
$$;
comment on function invite.prune_batches(timestamptz, integer) is
  'One bounded step of deleting batches that ended before a time, with their invitations. Returns how many invitations.';
