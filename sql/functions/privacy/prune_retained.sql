/*
 * In tables that are stored in the order of time it looks only at the first max_rows rows, because later rows aren't older. Locks: skip
 * locked, all of them. Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.prune_retained(max_rows integer, at timestamptz) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_before jsonb := (
    select jsonb_object_agg(r.what, prune_retained.at - r.days * interval '1 day') from invite.retention as r where r.days is not null);
  v_most integer := 0;
  v_pruned integer;
begin
  if v_before ? 'batches' then
    v_most := invite.prune_batches((v_before ->> 'batches')::timestamptz, prune_retained.max_rows);
  end if;

  delete from invite.responses as r
  using (
    select x.id
    from (select y.id, y.submitted_at from invite.responses as y order by y.id limit prune_retained.max_rows) as n
    join invite.responses as x on x.id = n.id
    where n.submitted_at <= (v_before ->> 'responses')::timestamptz
    for update of x skip locked
  ) as o
  where r.id = o.id;
  get diagnostics v_pruned = row_count;
  v_most := greatest(v_most, v_pruned);

  delete from invite.relay_events as e
  using (
    select x.relay, x.event_id
    from invite.relay_events as x
    where x.invitation_id is not null and x.recorded_at <= (v_before ->> 'relay_events')::timestamptz
    order by x.recorded_at
    limit prune_retained.max_rows
    for update skip locked
  ) as o
  where e.relay = o.relay and e.event_id = o.event_id;
  get diagnostics v_pruned = row_count;
  v_most := greatest(v_most, v_pruned);

  delete from invite.audit_log as a
  using (
    select x.id
    from (select y.id, y.at from invite.audit_log as y order by y.id limit prune_retained.max_rows) as n
    join invite.audit_log as x on x.id = n.id
    where n.at <= (v_before ->> 'audit_log')::timestamptz
    for update of x skip locked
  ) as o
  where a.id = o.id;
  get diagnostics v_pruned = row_count;
  v_most := greatest(v_most, v_pruned);

  delete from invite.webhook_deliveries as d
  using (
    select x.id
    from (select y.id, y.created_at from invite.webhook_deliveries as y order by y.id limit prune_retained.max_rows) as n
    join invite.webhook_deliveries as x on x.id = n.id
    where n.created_at <= (v_before ->> 'events')::timestamptz
    for update of x skip locked
  ) as o
  where d.id = o.id;
  get diagnostics v_pruned = row_count;
  v_most := greatest(v_most, v_pruned);

  delete from invite.webhook_deliveries as d
  using (
    select x.id
    from (select w.id from invite.webhook_endpoints as w where w.deleted_at is not null offset 0) as e
    cross join lateral (
      select y.id from invite.webhook_deliveries as y where y.endpoint_id = e.id limit prune_retained.max_rows for update skip locked
    ) as x
    limit prune_retained.max_rows
  ) as o
  where d.id = o.id;
  get diagnostics v_pruned = row_count;
  v_most := greatest(v_most, v_pruned);
  delete from invite.webhook_endpoints as w
  where w.id = any (array(
    select x.id
    from invite.webhook_endpoints as x
    where x.deleted_at is not null and not exists (select from invite.webhook_deliveries as d where d.endpoint_id = x.id offset 0)
    for update skip locked));

  select count(*) into v_pruned
  from graphile_worker.complete_jobs(array(
    select j.id
    from graphile_worker._private_jobs as j
    where j.attempts >= j.max_attempts and j.locked_at is null and j.updated_at <= (v_before ->> 'failed_jobs')::timestamptz
    limit prune_retained.max_rows
  ));
  return greatest(v_most, v_pruned);
end
$$;
comment on function invite.prune_retained(integer, timestamptz) is
  'One bounded step of deleting rows that are older than their retention, and deliveries to deleted webhook endpoints. Returns the number of '
  'rows deleted of the kind with the most.';
