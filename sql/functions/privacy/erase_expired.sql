/*
 * Erases invitations to which nothing has happened for retention_days. A pending message needs its address, no matter how old it is.
 *
 * Locks: the invitations (for update, skip locked): what is locked now is erased an hour later.
 */
create or replace function invite.erase_expired(
  retention_days integer, max_rows integer default 5000, at timestamptz default null
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(erase_expired.at, clock_timestamp());
  v_expired bigint[];
  v_erased integer;
begin
  v_expired := array(
    select i.id
    from invite.invitations as i
    where i.due_at is null
      and i.erased_at is null
      and invite.last_event_at(i.batch_id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at)
        <= v_now - erase_expired.retention_days * interval '1 day'
    order by invite.last_event_at(i.batch_id, i.sent_at, i.reminded_at, i.responded_at, i.cancelled_at, i.failed_at)
    limit erase_expired.max_rows
    for update skip locked
  );
  v_erased := invite.erase_invitations(v_expired, v_now);
  if cardinality(v_expired) >= erase_expired.max_rows then
    perform graphile_worker.add_job('erase_expired');
  end if;
  return v_erased;
end
$$;
comment on function invite.erase_expired(integer, integer, timestamptz) is
  'One bounded step of erasing settled invitations after the retention; queues the next step itself. Returns how many were erased.';
