/*
 * Of what has its time: a message that is due, what a simulated person does, a closing date, and the deadline of what is held. What is overdue
 * happens now.
 * Workers run in the present time, whatever the clock shows.
 * Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.next_in_test(workspace_id text) returns timestamptz
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_next timestamptz;
begin
  v_next := least(
    (
      select min(n.not_before)
      from invite.surveys as s
      cross join lateral (
        select m.not_before
        from invite.messages as m
        where m.survey_id = s.id and m.status = 'queued' and m.sweep_at = 'infinity'
        order by m.not_before
        limit 1
      ) as n
      where s.workspace_id = next_in_test.workspace_id
    ),
    (select p.at from invite.test_plans as p where p.workspace_id = next_in_test.workspace_id order by p.at limit 1),
    (select min(s.closes_at) from invite.surveys as s where s.workspace_id = next_in_test.workspace_id and s.state = 'active'),
    (
      select min((d.deadline).at) + interval '1 microsecond'
      from invite.workspaces as w
      join invite.surveys as s on s.workspace_id = w.id
      cross join lateral (select invite.rules_of(s, w, false, (invite.sending_now(invite.now())).late_send_hours) as rules offset 0) as r
      cross join lateral (
        select invite.message_deadline(r.rules, m) as deadline
        from invite.messages as m
        where m.survey_id = s.id and m.status = 'waiting' and (r.rules).survey_id is not null
        offset 0
      ) as d
      where w.id = next_in_test.workspace_id
    ));
  return case when v_next is not null then
    greatest(v_next, (select w.test_now from invite.workspaces as w where w.id = next_in_test.workspace_id))
  end;
end
$$;
comment on function invite.next_in_test(text) is 'When something next happens by itself in a test workspace. Null: never.';
