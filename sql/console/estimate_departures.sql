create type console.rules_estimate as (looked_at integer, skipped integer, delayed integer, delayed_until timestamptz);
comment on type console.rules_estimate is
  'What rules would do to the emails that wait or are scheduled. looked_at: how many there are, counted up to max_count. skipped: how many of '
  'these could not leave in time. delayed: how many would leave later than planned, and the last of them delayed_until.';

/*
 * workspace, survey: with the rules that are asked about; the rows may have others. No survey: all surveys of the workspace.
 *
 * An estimate by deadline_of and wait_of, which the claim acts by. It takes it that nothing holds the surveys, that nobody responds or is
 * suppressed, and that of several invitations to an address the first leaves first, and each other after one rest more.
 *
 * Pins: lookup plan, offset 0 fence.
 */
create function console.estimate_departures(workspace invite.workspaces, survey invite.surveys, max_count integer, at timestamptz)
returns console.rules_estimate
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  w constant invite.workspaces := workspace;
  v_late_hours constant integer := (invite.sending_now(estimate_departures.at)).late_send_hours;
  v_has_choices constant boolean := exists (select from invite.recipient_choices as c where c.workspace_id = w.id);
  v_estimate console.rules_estimate;
begin
  with looked as materialized (
    select
      r.rules, p.planned_at, m.unconfirmed_since is not null as is_unconfirmed, p.rests, lower(i.email) as email,
      array[i.time_zone, b.time_zone] || (r.rules).time_zones as time_zones,
      (invite.message_deadline(r.rules, m.message)).at as deadline,
      coalesce(
        (invite.wait_of(r.rules, m.message, i.email, b.trigger_token_id, array[i.time_zone, b.time_zone], p.planned_at)).until,
        p.planned_at) as leaves_at,
      row_number() over (partition by p.rests, lower(i.email) order by p.planned_at, m.due_at, m.invitation_id) - 1 as earlier
    from invite.surveys as s
    cross join lateral (
      select invite.rules_of(case when s.id = survey.id then survey else s end, w, v_has_choices, v_late_hours) as rules offset 0
    ) as r
    cross join lateral (
      select m as message, m.*
      from unnest('{queued,waiting}'::invite.message_status[]) as k (status)
      join invite.messages as m on m.survey_id = s.id and m.status = k.status and m.is_last and m.status <> 'sending'
      limit estimate_departures.max_count
    ) as m
    join invite.invitations as i on i.id = m.invitation_id
    join invite.batches as b on b.id = i.batch_id
    join invite.trigger_tokens as t on t.id = b.trigger_token_id
    cross join lateral (
      select
        greatest(case when m.rule is null then m.not_before else m.due_at end, estimate_departures.at) as planned_at,
        w.rest_days is not null and m.number = 0 and m.unconfirmed_since is null and not (m.ignores_rest or t.ignores_rest) as rests
    ) as p
    where s.workspace_id = w.id and (survey.id is null or s.id = survey.id)
    limit estimate_departures.max_count
  ),
  leaving as (
    select l.planned_at, l.deadline, l.is_unconfirmed, case when n.rested_at is null then l.leaves_at else coalesce(o.leaves_at, 'infinity') end as at
    from (
      select l.*, first_value(l.leaves_at) over (partition by l.rests, l.email order by l.earlier) as first_at from looked as l
    ) as l
    cross join lateral (
      select case when l.rests and l.earlier > 0 then l.first_at + l.earlier * w.rest_days * interval '24 hours' end as rested_at
    ) as n
    left join lateral (
      select case when num_nonnulls(w.open_hours, w.closed_days) = 0 or n.rested_at = 'infinity' then n.rested_at
        else invite.next_open(w.open_hours, w.closed_days, invite.zone_of(variadic l.time_zones), n.rested_at) end as leaves_at
      offset 0
    ) as o on n.rested_at is not null
  )
  select count(*), count(*) filter (where d.is_late), count(*) filter (where d.is_after), max(d.at) filter (where d.is_after)
  into v_estimate
  from (
    select e.at, e.is_late, e.at > e.planned_at and not e.is_late as is_after
    from (
      select l.at, l.planned_at, not l.is_unconfirmed and (l.at = 'infinity' or coalesce(l.at > l.deadline, false)) as is_late
      from leaving as l
    ) as e
  ) as d;
  return v_estimate;
end
$$;
comment on function console.estimate_departures(invite.workspaces, invite.surveys, integer, timestamptz) is
  'What rules about when emails may leave do to those that wait or are scheduled.';
