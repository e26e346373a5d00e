/*
 * Moves the clock to the next time at which something happens, at most to the end of the advance, and does what happens then by itself: the
 * plans of simulated people, closing dates, deadlines of what is held, and requeueing. What is due then is for the caller to claim, in the same
 * transaction; it calls end_test_step before it commits.
 *
 * at: what the clock now says. due: at most 100 invitations. more: whether to call again. events_from: for end_test_step.
 *
 * Locks: the workspace (for no key update): neither a request nor another step comes between. Then as what it calls.
 */
create or replace function invite.begin_test_step(
  advance_id uuid, out at timestamptz, out due bigint[], out more boolean, out events_from bigint
)
language plpgsql volatile
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_workspace invite.workspaces;
  v_advance invite.test_advances;
  v_next timestamptz;
  v_plan invite.test_plans;
  v_survey text;
begin
  select w.* into v_workspace
  from invite.test_advances as a
  join invite.workspaces as w on w.id = a.workspace_id
  where a.id = begin_test_step.advance_id
  for no key update of w;
  begin_test_step.more := false;
  begin_test_step.due := '{}';
  if v_workspace.moved_to is not null then
    perform invite.refuse_moved(v_workspace.id, v_workspace.moved_to);
  end if;
  begin_test_step.events_from := coalesce(pg_sequence_last_value('invite.new_events_id_seq'), 0);
  -- Whole milliseconds, which the caller can carry.
  v_next := date_trunc('milliseconds', invite.next_in_test(v_workspace.id) + interval '999 microseconds');
  update invite.test_advances as a
  set until = v_workspace.test_now + a.moves_by
  where a.id = begin_test_step.advance_id and a.until is null and a.moves_by is not null;
  update invite.test_advances as a
  set
    since = coalesce(a.since, v_workspace.test_now),
    until = coalesce(a.until, v_next, v_workspace.test_now),
    ended_at = case when v_next is null or v_next > a.until then invite.clock() end
  where a.id = begin_test_step.advance_id and a.ended_at is null
  returning a.* into v_advance;
  if not found then
    return;
  end if;
  begin_test_step.at := case when v_advance.ended_at is null then v_next else greatest(v_advance.until, v_workspace.test_now) end;
  update invite.workspaces as w set test_now = begin_test_step.at where w.id = v_workspace.id;
  if v_advance.ended_at is not null then
    return;
  end if;

  for v_plan in
    with taken as (
      delete from invite.test_plans as p
      where p.id = any (array(
        select x.id from invite.test_plans as x
        where x.workspace_id = v_workspace.id and x.at <= begin_test_step.at
        order by x.at, x.id
        limit 100))
      returning p.*
    )
    select t.* from taken as t order by t.at, t.id
  loop
    perform invite.act_in_test(v_plan);
  end loop;
  perform invite.close_surveys(100, begin_test_step.at, v_workspace.id);
  perform invite.earn_caps(begin_test_step.at, v_workspace.id);
  for v_survey in
    select s.id from invite.surveys as s
    where s.workspace_id = v_workspace.id and exists (select from invite.messages as m where m.survey_id = s.id and m.status = 'waiting')
    order by s.id
  loop
    perform invite.requeue_waiting(v_survey, 10001, begin_test_step.at);
  end loop;
  perform invite.skip_waiting(10000, begin_test_step.at, v_workspace.id);

  begin_test_step.more := true;
  begin_test_step.due := array(
    select n.invitation_id
    from invite.surveys as s
    cross join lateral (
      select m.invitation_id, m.not_before
      from invite.messages as m
      where m.survey_id = s.id and m.status = 'queued' and m.sweep_at = 'infinity' and m.not_before <= begin_test_step.at
      order by m.not_before, m.invitation_id
      limit 100
    ) as n
    where s.workspace_id = v_workspace.id
    order by n.not_before, n.invitation_id
    limit 100);
end
$$;
comment on function invite.begin_test_step(uuid) is 'Moves the clock of a test workspace to the next time at which something happens.';
