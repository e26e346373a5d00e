/*
 * Finds what triggers and jobs have missed: a change made without triggers, a deleted job, changes that could not see each other, a
 * not_before moved by hand.
 *   queued rows that are due, but would be swept much later             -> swept next
 *   surveys with waiting invitations that may send (awaiting_requeue)   -> a requeue_waiting job each
 *   waiting messages whose deadline has passed                          -> skipped
 * A full step adds a job for the next.
 *
 * Locks: the queued rows (for no key update, skip locked). Pins: index order.
 */
create or replace function invite.heal_invitations(
  max_rows integer default 5000, at timestamptz default null
) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock(heal_invitations.at);
  v_moved integer;
  v_specs graphile_worker.job_spec[];
begin
  with displaced as (
    select m.invitation_id, m.number
    from invite.messages as m
    where m.status = 'queued' and m.sweep_at > v_now + interval '2 minutes' and m.sweep_at < 'infinity' and m.not_before <= v_now
    limit heal_invitations.max_rows
    for no key update skip locked
  )
  update invite.messages as m
  set sweep_at = m.not_before
  from displaced as d
  where m.invitation_id = d.invitation_id and m.number = d.number;
  get diagnostics v_moved = row_count;

  select array_agg(row(
    'requeue_waiting', json_build_object('survey_id', s.survey_id), null, null, null, null, -1, null
  )::graphile_worker.job_spec)
  into v_specs
  from (select s.survey_id from invite.awaiting_requeue as s limit heal_invitations.max_rows) as s;

  if v_specs is not null then
    perform graphile_worker.add_jobs(v_specs);
  end if;
  v_moved := v_moved + invite.skip_waiting(heal_invitations.max_rows, v_now);
  if greatest(v_moved, cardinality(v_specs)) >= heal_invitations.max_rows then
    perform graphile_worker.add_job('heal_invitations', priority => -1);
  end if;
  return v_moved + coalesce(cardinality(v_specs), 0);
end
$$;
comment on function invite.heal_invitations(integer, timestamptz) is
  'Queues again what triggers and jobs have missed. Returns how many rows and surveys.';
