/*
 * Each kind has a transaction of its own, so that a lock, a slow disk or a row that nothing may delete stops no other. Steps are bounded by
 * time, because a row from a cold cache takes a hundred times as long as one from memory.
 *
 * Locks: as prune_short_lived and prune_retained.
 */
create or replace function invite.prune_expired(
  what invite.expiring, at timestamptz default null, max_rows integer default 500, seconds double precision default 2
) returns integer
language plpgsql volatile
as $$
declare
  v_ends_at constant timestamptz := invite.clock() + prune_expired.seconds * interval '1 second';
  v_now constant timestamptz := invite.clock(prune_expired.at);
  v_is_short_lived constant boolean := prune_expired.what in (
    'idempotency_keys', 'rejections', 'sign_in_links', 'test_invitations', 'sessions', 'notifications', 'uploads', 'cap_slots', 'webhook_endpoints');
  v_days constant integer := (
    select invite.kept_days(r, v_now)
    from invite.retention as r
    where r.what::text = case prune_expired.what when 'webhook_deliveries' then 'events' else prune_expired.what::text end);
  v_before constant timestamptz := case
    when prune_expired.what = 'batches' then invite.prunable_before(v_days, v_now) else v_now - v_days * interval '1 day' end;
  v_rows integer;
  v_pruned integer := 0;
begin
  if not v_is_short_lived and v_days is null and prune_expired.what <> 'webhook_deliveries' then
    return 0;
  end if;
  loop
    if v_is_short_lived then
      v_rows := invite.prune_short_lived(prune_expired.what, prune_expired.max_rows, v_now);
    else
      v_rows := invite.prune_retained(prune_expired.what, prune_expired.max_rows, v_before);
    end if;
    v_pruned := v_pruned + v_rows;
    exit when v_rows < prune_expired.max_rows or invite.clock() >= v_ends_at;
  end loop;
  if v_rows >= prune_expired.max_rows then
    perform graphile_worker.add_job('prune_expired', job_key => 'prune_expired');
  end if;
  return v_pruned;
end
$$;
comment on function invite.prune_expired(invite.expiring, timestamptz, integer, double precision) is
  'Deletes what has expired of one kind, for some seconds, and queues the next job if there is more. Returns how many rows it deleted.';
