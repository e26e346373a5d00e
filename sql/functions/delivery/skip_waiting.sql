/*
 * What is held can't be claimed, so nobody else ends it when its deadline comes. Looks at surveys with rules alone, and there at the oldest:
 * a deadline never comes before the time when an email was wanted. What may have left fails as unconfirmed, as by a claim.
 *
 * workspace_id: a test workspace, at its own time. Null: all that are real.
 *
 * Locks: the messages (for no key update, skip locked: the next call takes the others). Pins: index order.
 */
create or replace function invite.skip_waiting(max_rows integer, at timestamptz, workspace_id text default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  -- Workers run in the present time, whatever a test clock shows.
  v_late_send_hours constant integer := (
    invite.sending_now(case when skip_waiting.workspace_id is null then skip_waiting.at else invite.now() end)).late_send_hours;
  v_skipped integer;
begin
  with recursive surveys as (
    (select m.survey_id from invite.messages as m where m.status = 'waiting' order by m.survey_id limit 1)
    union all
    select n.survey_id
    from surveys as v
    cross join lateral (
      select m.survey_id from invite.messages as m where m.status = 'waiting' and m.survey_id > v.survey_id order by m.survey_id limit 1
    ) as n
  ),
  ruled as materialized (
    select
      v.survey_id, y.rules,
      case when (y.rules).closes_at <= skip_waiting.at then skip_waiting.at when (y.rules).activated_at <= d.before then d.before end as before
    from surveys as v
    join invite.surveys as s on s.id = v.survey_id
    join invite.workspaces as w on w.id = s.workspace_id and w.moved_to is null
      and (w.id = skip_waiting.workspace_id or skip_waiting.workspace_id is null and w.test_of is null)
    cross join lateral (select invite.rules_of(s, w, false, v_late_send_hours) as rules offset 0) as y
    cross join lateral (select skip_waiting.at - (y.rules).delay_hours * interval '1 hour' as before) as d
    where (y.rules).survey_id is not null
  ),
  late as (
    select m.invitation_id, m.number, (d.deadline).reason
    from ruled as y
    -- Links end reminders alone.
    join invite.messages as m on m.survey_id = y.survey_id and m.status = 'waiting'
      and m.due_at <= case when (y.rules).link_days is null then y.before else skip_waiting.at end
      and (m.number > 0 or m.due_at <= y.before)
    cross join lateral (select invite.message_deadline(y.rules, m) as deadline offset 0) as d
    where (d.deadline).at < skip_waiting.at
    limit skip_waiting.max_rows
    for no key update of m skip locked
  )
  update invite.messages as m
  set
    status = case when m.unconfirmed_since is null then 'skipped' else 'failed' end::invite.message_status,
    rule = case when m.unconfirmed_since is null then l.reason end,
    not_before = null,
    skipped_at = case when m.unconfirmed_since is null then skip_waiting.at end,
    failed_at = case when m.unconfirmed_since is not null then skip_waiting.at else m.failed_at end,
    last_error_code = case when m.unconfirmed_since is not null then 'unconfirmed' else m.last_error_code end,
    last_error = case when m.unconfirmed_since is not null then invite.unconfirmed_in_words() else m.last_error end
  from late as l
  where m.invitation_id = l.invitation_id and m.number = l.number and m.status::text = 'waiting';
  get diagnostics v_skipped = row_count;
  return v_skipped;
end
$$;
comment on function invite.skip_waiting(integer, timestamptz, text) is 'Ends what is held and can no longer leave in time. Returns how many messages.';
