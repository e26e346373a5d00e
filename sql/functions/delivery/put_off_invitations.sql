/*
 * For what a claim was asked for and did not return. What only the relay's rate turned down needs no job: the worker keeps it in its list and
 * asks again. What a paused relay can't take now gets a job for the pause's end; after a fault one for ten seconds later, for another claim
 * may have the probe. What somebody else has locked is asked for again after 2 to 30 seconds, the later the longer it lasts.
 *
 * Locks: as lock_held_surveys; the messages that it returns (for no key update, skip locked). Pins: as claim_invitations.
 */
create or replace function invite.put_off_invitations(invitation_ids bigint[], worker_id uuid, at timestamptz default null) returns bigint[]
language plpgsql volatile
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now constant timestamptz := invite.clock(put_off_invitations.at);
  v_again_at timestamptz;
  v_busy text[];
  v_kept bigint[] := '{}';
begin
  select case when r.paused_until > v_now then r.paused_until when r.condition = 'fault' then v_now + interval '10 seconds' end
  into v_again_at
  from invite.workers as w
  join invite.relays as r on r.id = w.relay
  where w.id = put_off_invitations.worker_id;
  if v_again_at is null then
    v_busy := (select l.busy from invite.lock_held_surveys(put_off_invitations.invitation_ids) as l);
    v_kept := array(
      select m.invitation_id
      from invite.messages as m
      where m.invitation_id = any (put_off_invitations.invitation_ids)
        and m.status::text = 'queued'
        and m.not_before <= v_now
        and m.survey_id <> all (v_busy)
      order by m.invitation_id
      for no key update skip locked
    );
  end if;

  perform invite.queue_sends(
    array_agg(row(
      o.invitation_id,
      coalesce(v_again_at, v_now + least(greatest((v_now - o.first_due_at) / 4, interval '2 seconds'), interval '30 seconds')))::invite.job_request))
  from (
    select m.invitation_id, min(m.not_before) over () as first_due_at
    from invite.messages as m
    where m.invitation_id = any (put_off_invitations.invitation_ids) and m.status::text = 'queued' and m.not_before <= v_now
      and m.invitation_id <> all (v_kept)
  ) as o;
  return v_kept;
end
$$;
comment on function invite.put_off_invitations(bigint[], uuid, timestamptz) is
  'Queues jobs for those of these invitations that a claim could not take. Returns those that only the rate turned down: the worker keeps them.';
