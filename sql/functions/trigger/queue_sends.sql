/*
 * A job has at most 100 invitations that are due at the same time, of any surveys. Most requests have one recipient, and one job for each
 * would cost three times the round trips. There is one add_jobs call, because each call is a NOTIFY, and notifying transactions commit one
 * after the other. A job only makes a worker look at the invitations; claim_invitations decides what is sent.
 * Test workspaces have no jobs: their time is another, and nothing of them is sent.
 *
 * Pins: generic plan. For few job requests PostgreSQL would plan all statements of add_jobs at each call (1.6 instead of 1.0 ms for a
 * request of one recipient).
 */
create or replace function invite.queue_sends(job_requests invite.job_request[]) returns void
language plpgsql volatile
set plan_cache_mode = force_generic_plan set jit = off
as $$
declare
  v_specs graphile_worker.job_spec[];
begin
  with numbered as (
    select
      w.invitation_id, w.run_at,
      (row_number() over (partition by w.run_at order by w.invitation_id) - 1) / 100 as chunk
    from unnest(queue_sends.job_requests) as w
    where not invite.is_test(w.invitation_id)
  ),
  chunks as (
    select json_build_object('invitation_ids', json_agg(n.invitation_id)) as payload, n.run_at
    from numbered as n
    group by n.run_at, n.chunk
  )
  select array_agg(row('send_invitations', c.payload, null, c.run_at, null, null, null, null)::graphile_worker.job_spec)
  into v_specs
  from chunks as c;

  if v_specs is not null then
    perform graphile_worker.add_jobs(v_specs);
  end if;
end
$$;
comment on function invite.queue_sends(invite.job_request[]) is
  'Queues send_invitations jobs for the given invitations at the given times, in one add_jobs call.';
