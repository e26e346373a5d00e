/*
 * After the last step, one more looks whether any that waits was left out. The last look leaves alone what a rule has put off: workers may
 * have put that off again meanwhile, and the steps would never end.
 *
 * max_rows: null: 500 in the first step, so that the first messages leave at once, then 5,000.
 * after: only invitations with a greater id, so that a step skips the index entries of those that were requeued before. Null: the first step.
 * 0: the last look.
 * max_queued: a step waits for a second while so many of those before it are still queued: a million due at once would fill the lists
 * of all workers. Only they are counted, so that messages scheduled for later cost nothing.
 *
 * It also takes what a rule has put off: a change of a rule calls it too.
 *
 * Its jobs run before those that send, or each step would wait until the messages of the one before have left.
 * Locks: the waiting messages, by invitation (for no key update, skip locked: heal_invitations comes back to the others). Pins: index order,
 * which also keeps the order of the locks.
 */
create or replace function invite.requeue_waiting(
  survey_id text, max_rows integer default null, at timestamptz default null, after bigint default null,
  max_queued integer default 10000
) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set jit = off
as $$
declare
  v_now timestamptz := invite.clock_of_survey(requeue_waiting.survey_id, requeue_waiting.at);
  v_after bigint := coalesce(requeue_waiting.after, 0);
  v_rows integer := coalesce(requeue_waiting.max_rows, case when requeue_waiting.after is null then 500 else 5000 end);
  v_last bigint;
  v_found integer;
  v_job_requests invite.job_request[];
begin
  if not coalesce(invite.is_sendable(requeue_waiting.survey_id), false) then
    return 0;
  end if;

  if (
    select count(*) filter (where q.not_before <= v_now)
    from (
      select m.not_before
      from invite.messages as m
      where m.survey_id = requeue_waiting.survey_id and m.status = 'queued' and m.message_kind = 'invitation' and m.is_last and m.status <> 'sending'
        and m.invitation_id <= v_after
      order by m.invitation_id desc
      limit requeue_waiting.max_queued
    ) as q
  ) >= requeue_waiting.max_queued then
    perform graphile_worker.add_job(
      'requeue_waiting', json_build_object('survey_id', requeue_waiting.survey_id, 'after', requeue_waiting.after),
      run_at => v_now + interval '1 second', priority => -1);
    return 0;
  end if;

  select max(w.invitation_id), count(*)
  into v_last, v_found
  from (
    (
      select m.invitation_id
      from invite.messages as m
      where m.survey_id = requeue_waiting.survey_id and m.status = 'waiting' and m.invitation_id > v_after
      order by m.invitation_id
      limit v_rows
    )
    union all
    (
      select m.invitation_id
      from invite.messages as m
      where m.survey_id = requeue_waiting.survey_id and m.status = 'queued' and m.rule is not null and m.invitation_id > v_after
        and requeue_waiting.after is distinct from 0
      order by m.invitation_id
      limit v_rows
    )
    order by invitation_id
    limit v_rows
  ) as w;

  with unlocked as (
    select m.ctid
    from invite.messages as m
    where m.survey_id = requeue_waiting.survey_id and m.status = 'waiting' and m.invitation_id > v_after and m.invitation_id <= v_last
    order by m.invitation_id
    for no key update skip locked
  ),
  put_off as (
    select m.ctid
    from invite.messages as m
    where m.survey_id = requeue_waiting.survey_id and m.status = 'queued' and m.rule is not null
      and m.invitation_id > v_after and m.invitation_id <= v_last and requeue_waiting.after is distinct from 0
    order by m.invitation_id
    for no key update skip locked
  ),
  requeued as (
    update invite.messages as m
    set status = 'queued', not_before = v_now, sweep_at = v_now + invite.job_grace(), rule = null
    where m.ctid = any (array(select u.ctid from unlocked as u union all select p.ctid from put_off as p))
    returning m.invitation_id
  )
  select array_agg(row(r.invitation_id, v_now)::invite.job_request) into v_job_requests
  from requeued as r;

  perform invite.queue_sends(v_job_requests);
  -- A step from the start that could take nothing ends it: all that it found is locked.
  if v_after > 0 or v_found >= v_rows and v_job_requests is not null then
    perform graphile_worker.add_job(
      'requeue_waiting',
      json_build_object(
        'survey_id', requeue_waiting.survey_id, 'after', case when v_found >= v_rows then v_last else 0 end),
      priority => -1);
  end if;
  return coalesce(cardinality(v_job_requests), 0);
end
$$;
comment on function invite.requeue_waiting(text, integer, timestamptz, bigint, integer) is
  'One bounded step of requeueing a survey''s waiting invitations, and what a rule has put off; queues the next step itself. Returns how many were requeued.';
