/*
 * Puts up to max_rows waiting invitations of a survey back in the queue, due now, with their jobs; if there may be more, adds a
 * job that goes on. If the survey is not sendable after all, does nothing: they go on waiting.
 *
 * Its jobs go before those that send: behind them, each step would wait until the mails of the step before have left.
 *
 * Called by: the task requeue_waiting, which the triggers on surveys, workspaces and plans queue.
 * Locks: the waiting invitations, by id (for no key update).
 */
create or replace function invite.requeue_waiting(
  survey_id text, max_rows integer default 5000, at timestamptz default null
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(requeue_waiting.at, clock_timestamp());
  v_wakes invite.wake[];
begin
  if not coalesce(invite.is_sendable(requeue_waiting.survey_id), false) then
    return 0;
  end if;

  with waiting as (
    select i.id
    from invite.invitations as i
    where i.survey_id = requeue_waiting.survey_id and i.status = 'waiting'
    order by i.id
    limit requeue_waiting.max_rows
    for no key update
  ),
  requeued as (
    update invite.invitations as i
    set status = 'queued', due_at = v_now, sweep_at = v_now + interval '1 hour'
    from waiting as w
    where i.id = w.id
    returning i.id
  )
  select array_agg(row(requeue_waiting.survey_id, r.id, v_now)::invite.wake) into v_wakes
  from requeued as r;

  perform invite.queue_sends(v_wakes);
  if cardinality(v_wakes) >= requeue_waiting.max_rows then
    perform graphile_worker.add_job('requeue_waiting', json_build_object('survey_id', requeue_waiting.survey_id), priority => -1);
  end if;
  return coalesce(cardinality(v_wakes), 0);
end
$$;
comment on function invite.requeue_waiting(text, integer, timestamptz) is
  'One bounded step of requeueing a survey''s waiting invitations; queues the next step itself. Returns how many were requeued.';
