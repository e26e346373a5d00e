/*
 * Makes jobs for queued invitations whose sweep_at has come: reminders that are due within a minute, and rows whose job may be
 * lost. Moves their sweep_at on, so that each is taken at most once an hour.
 *
 * Task sweep_invitations, every minute. Locks: the rows (for no key update, skip locked), at most max_rows; if there may be more, adds a
 * job for the next step.
 */
create or replace function invite.sweep_invitations(
  max_rows integer default 5000, at timestamptz default null
) returns integer
language plpgsql volatile
as $$
declare
  v_now timestamptz := coalesce(sweep_invitations.at, clock_timestamp());
  v_job_requests invite.job_request[];
begin
  with near as (
    select i.id
    from invite.invitations as i
    where i.status = 'queued' and i.sweep_at <= v_now
    order by i.sweep_at
    limit sweep_invitations.max_rows
    for no key update skip locked
  ),
  swept as (
    update invite.invitations as i
    set sweep_at = greatest(i.due_at, v_now) + invite.job_grace()
    from near as n
    where i.id = n.id
    returning i.id, i.due_at
  )
  -- To the second: reminders of one send-out then share jobs instead of having one each.
  select array_agg(row(s.id, greatest(v_now, date_trunc('second', s.due_at) + interval '1 second'))::invite.job_request)
  into v_job_requests
  from swept as s;

  perform invite.queue_sends(v_job_requests);
  if cardinality(v_job_requests) >= sweep_invitations.max_rows then
    perform graphile_worker.add_job('sweep_invitations', priority => -1);
  end if;
  return coalesce(cardinality(v_job_requests), 0);
end
$$;
comment on function invite.sweep_invitations(integer, timestamptz) is
  'Queues jobs for reminders that come near and for queued rows whose job was lost. Returns how many rows it took.';
