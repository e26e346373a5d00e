/*
 * Takes reminders that are due within a minute, and rows whose job may be lost, and moves their sweep_at on by a minute. What is in a
 * job that runs soon gets no other.
 * What is due is left alone while the relay is paused, so that a long pause costs no writes, and while there are enough jobs: it is
 * behind them.
 *
 * While the relay's rate is used up, each is swept once: it then waits in a worker's list. If that worker is lost, the next one sweeps all.
 * lost: whether a worker was lost, with its list: then the rate doesn't count, and all is swept.
 *
 * Locks: at most max_rows rows (for no key update, skip locked); a full step adds a job for the next. Pins: index order.
 */
create or replace function invite.sweep_invitations(
  max_rows integer default 5000, at timestamptz default null, lost boolean default false
) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now constant timestamptz := invite.clock(sweep_invitations.at);
  v_sending constant invite.sending := invite.sending_now(v_now);
  v_due_after timestamptz := '-infinity';
  v_once boolean;
  v_swept integer;
  v_job_requests invite.job_request[];
begin
  if v_sending.paused_until > v_now
    or (select count(*) from (select from invite.send_jobs(v_now) as j limit 1001) as plenty) > 1000
  then
    v_due_after := v_now;
  end if;
  v_once := v_sending.is_rate_used and not sweep_invitations.lost;

  with near as (
    select m.invitation_id, m.number
    from invite.messages as m
    where m.status = 'queued' and m.sweep_at <= v_now and m.not_before > v_due_after
      and (not v_once or m.sweep_at <= m.not_before + invite.job_grace())
    order by m.sweep_at
    limit sweep_invitations.max_rows
    for no key update skip locked
  ),
  swept as (
    update invite.messages as m
    set sweep_at = case
      when v_once and m.not_before <= v_now then v_now + interval '1 second'
      else greatest(m.not_before + invite.job_grace(), v_now + interval '1 minute')
    end
    from near as n
    where m.invitation_id = n.invitation_id and m.number = n.number
    returning m.invitation_id as id, m.not_before
  ),
  in_jobs as (
    select distinct l.id::bigint as id
    from invite.send_jobs(v_now) as j
    cross join lateral json_array_elements_text(j.payload -> 'invitation_ids') as l (id)
    where exists (select from swept)
  )
  select
    count(*),
    -- To the second: reminders of one send-out share jobs.
    array_agg(row(s.id, greatest(v_now, date_trunc('second', s.not_before) + interval '1 second'))::invite.job_request) filter (where j.id is null)
  into v_swept, v_job_requests
  from swept as s
  left join in_jobs as j on j.id = s.id;

  perform invite.queue_sends(v_job_requests);
  if v_swept >= sweep_invitations.max_rows then
    perform graphile_worker.add_job('sweep_invitations', priority => -1);
  end if;
  return v_swept;
end
$$;
comment on function invite.sweep_invitations(integer, timestamptz, boolean) is
  'Queues jobs for reminders that come near and for queued rows whose job was lost. Returns how many rows it took.';
