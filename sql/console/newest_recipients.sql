/*
 * Reads the workspace's batches in the order of their totals, which is the order of acceptance. Pins: batch scan, open bound.
 */
create function console.newest_recipients(workspace_id text, batch_id uuid, before_id bigint, max_rows integer) returns bigint[]
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_total bigint := coalesce(
    (
      select b.workspace_total
      from invite.invitations as i
      join invite.batches as b on b.id = i.batch_id
      where i.id = newest_recipients.before_id and i.workspace_id = newest_recipients.workspace_id
    ), 9223372036854775807);
begin
  if newest_recipients.batch_id is not null then
    return array(
      select i.id
      from invite.invitations as i
      where i.batch_id = newest_recipients.batch_id and i.workspace_id = newest_recipients.workspace_id
        and i.id < coalesce(newest_recipients.before_id, 9223372036854775807)
      -- Pins: opaque column, so that the batch is looked up and then sorted.
      order by i.id + 0 desc
      limit newest_recipients.max_rows);
  end if;
  return array(
    select i.id
    from invite.batches as b
    cross join lateral (
      select x.id
      from invite.invitations as x
      where x.batch_id = b.id and (b.workspace_total < v_total or x.id < newest_recipients.before_id or newest_recipients.before_id is null)
      offset 0
    ) as i
    where b.workspace_id = newest_recipients.workspace_id and b.workspace_total <= v_total
    order by b.workspace_total desc, i.id desc
    limit newest_recipients.max_rows);
end
$$;
comment on function console.newest_recipients(text, uuid, bigint, integer) is
  'The ids of the newest invitations of a workspace, or of one of its batches, before an id.';
