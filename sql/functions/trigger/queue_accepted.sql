/*
 * Requests that are due now share jobs across calls, so that there are few jobs. For while an old snapshot is held, graphile-worker's fetch
 * reads all finished jobs, and each NOTIFY delays other commits. Can be repeated. If the caller ends before it calls this,
 * sweep_invitations finds the rows.
 *
 * home: of one of them. It only says in which database they are, where several stand behind one address.
 *
 * Pins: lookup plan, generic plan.
 */
create or replace function invite.queue_accepted(batch_ids uuid[], home text, at timestamptz default null) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(invite.owner_time(queue_accepted.at));
begin
  perform invite.queue_sends(array_agg(row(i.id, v_now)::invite.job_request))
  from invite.invitations as i
  join invite.messages as m on m.invitation_id = i.id
  where i.batch_id = any (queue_accepted.batch_ids) and m.status::text = 'queued' and m.not_before <= v_now;
end
$$;
comment on function invite.queue_accepted(uuid[], text, timestamptz) is
  'Queues jobs for the messages that are due, of batches that accept_triggers returned as deferred.';
