/*
 * A time in the past means now. A held message is still held when that time has come. Reminders keep their number of days after the
 * invitation. Invitations that a worker has claimed, or that have ended, aren't moved.
 *
 * Locks: the messages, by invitation (for no key update); the clock is read after it. Jobs for the old time find nothing that is due.
 */
create or replace function invite.reschedule_batch(batch_id uuid, send_at timestamptz, at timestamptz default null) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_due_at timestamptz;
  v_job_requests invite.job_request[];
begin
  perform invite.require_batch(reschedule_batch.batch_id);
  v_due_at := greatest(reschedule_batch.send_at, invite.lock_messages(
    array(select i.id from invite.invitations as i where i.batch_id = reschedule_batch.batch_id), reschedule_batch.at));

  with moved as (
    update invite.messages as m
    set status = 'queued', due_at = v_due_at, not_before = v_due_at, sweep_at = v_due_at + invite.job_grace(), rule = null
    where m.invitation_id in (select i.id from invite.invitations as i where i.batch_id = reschedule_batch.batch_id)
      and m.number = 0 and m.status::text in ('queued', 'waiting')
    returning m.invitation_id as id
  )
  select array_agg(row(m.id, v_due_at)::invite.job_request) into v_job_requests
  from moved as m;

  if v_job_requests is not null then
    update invite.batches as b set scheduled_at = v_due_at where b.id = reschedule_batch.batch_id;
    perform invite.queue_sends(v_job_requests);
    perform invite.record_message_audit(
      b.survey_id, 'batch_rescheduled', b.id::text, cardinality(v_job_requests), jsonb_build_object('to', v_due_at))
    from invite.batches as b
    where b.id = reschedule_batch.batch_id;
  end if;
  return coalesce(cardinality(v_job_requests), 0);
end
$$;
comment on function invite.reschedule_batch(uuid, timestamptz, timestamptz) is
  'Moves the unsent invitations of a batch to another time. Returns how many.';
