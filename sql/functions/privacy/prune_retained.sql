/*
 * Of tables whose ids are in the order of time it looks only at the first max_rows rows of each database's ids (place_ids): workspaces that moved here
 * brought theirs, and of each database later rows aren't older. Responses are looked at by survey, because those of test workspaces have times
 * that are still to come. The deliveries of deleted webhook endpoints go too.
 *
 * Locks: skip locked, all of them. Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.prune_retained(what invite.expiring, max_rows integer, before timestamptz) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_pruned integer;
begin
  case prune_retained.what
    when 'responses' then
      delete from invite.responses as r
      where r.ctid = any (array(
        select x.ctid
        from (select s.id from invite.surveys as s offset 0) as s
        cross join lateral (
          select y.ctid
          from invite.responses as y
          where y.survey_id = s.id and y.submitted_at <= prune_retained.before
          order by y.submitted_at, y.id
          limit prune_retained.max_rows
          for update skip locked
        ) as x
        limit prune_retained.max_rows));
    when 'relay_events' then
      delete from invite.relay_events as e
      where e.ctid = any (array(
        select x.ctid
        from invite.relay_events as x
        where x.invitation_id is not null and x.recorded_at <= prune_retained.before
        order by x.recorded_at
        limit prune_retained.max_rows
        for update skip locked));
    when 'audit_log' then
      delete from invite.audit_log as a
      where a.ctid = any (array(
        select x.ctid
        from invite.id_ranges() as g
        cross join lateral (
          select y.id, y.at from invite.audit_log as y where y.id >= g.first and y.id <= g.last order by y.id limit prune_retained.max_rows
        ) as n
        join invite.audit_log as x on x.id = n.id
        where n.at <= prune_retained.before
        limit prune_retained.max_rows
        for update of x skip locked));
    when 'webhook_deliveries' then
      delete from invite.webhook_deliveries as d
      where d.ctid = any (array(
        select x.ctid
        from invite.id_ranges() as g
        cross join lateral (
          select y.id, y.created_at
          from invite.webhook_deliveries as y
          where y.id >= g.first and y.id <= g.last
          order by y.id
          limit prune_retained.max_rows
        ) as n
        join invite.webhook_deliveries as x on x.id = n.id
        where n.created_at <= prune_retained.before
        limit prune_retained.max_rows
        for update of x skip locked
      ) || array(
        select x.ctid
        from (select w.id from invite.webhook_endpoints as w where w.deleted_at is not null offset 0) as e
        cross join lateral (
          select y.ctid from invite.webhook_deliveries as y where y.endpoint_id = e.id limit prune_retained.max_rows for update skip locked
        ) as x
        limit prune_retained.max_rows));
    when 'failed_jobs' then
      perform from graphile_worker.complete_jobs(array(
        select j.id
        from graphile_worker._private_jobs as j
        where j.attempts >= j.max_attempts and j.locked_at is null and j.updated_at <= prune_retained.before
        limit prune_retained.max_rows));
    when 'batches' then
      return invite.prune_batches(prune_retained.before, prune_retained.max_rows);
  end case;
  get diagnostics v_pruned = row_count;
  return v_pruned;
end
$$;
comment on function invite.prune_retained(invite.expiring, integer, timestamptz) is
  'Deletes at most so many rows of a kind that are older than its retention. Returns how many.';
