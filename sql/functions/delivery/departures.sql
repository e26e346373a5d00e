/*
 * For a look at single messages, by a DBA, a forecast or a test; lists have the view unsent_messages. With the owner's rights, because views ask
 * it with those of their reader. Pins: lookup plan.
 */
create or replace function invite.departures(invitation_ids bigint[], at timestamptz default null)
returns table (invitation_id bigint, number smallint, verdict invite.verdict, reason invite.unsent_reason, hold_reason invite.hold_reason, until timestamptz)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_now constant timestamptz := invite.now(departures.at);
  v_sending constant invite.sending := invite.sending_now(v_now);
begin
  return query
  select
    m.invitation_id, m.number, case when m.not_before is not null then invite.verdict_of(d.reason) end, d.reason,
    case when d.reason = 'held' then h.hold_reason end,
    case
      when m.status = 'queued' and m.not_before > t.now then m.not_before
      when d.reason in ('resting', 'outside_hours', 'capped') then (c.wait).until
      when d.reason = 'held' then (c.deadline).at
      when d.reason = 'relay_paused' then (t.sending).paused_until
    end
  from invite.messages as m
  join invite.invitations as i on i.id = m.invitation_id
  join invite.batches as b on b.id = i.batch_id
  join invite.surveys as s on s.id = m.survey_id
  join invite.workspaces as w on w.id = s.workspace_id
  join invite.plans as p on p.id = w.plan_id
  cross join invite.settings as g
  cross join lateral (select invite.hold_reason(s, w, p, g) as hold_reason offset 0) as h
  cross join lateral (
    select
      coalesce(departures.at, w.test_now, v_now) as now,
      case when w.test_of is null then v_sending else invite.sending_in_tests(v_sending.late_send_hours) end as sending
    offset 0
  ) as t
  cross join lateral (select exists (select from invite.recipient_choices as x where x.workspace_id = w.id) as has_choices, invite.has_caps(w) as has_caps offset 0) as k
  cross join lateral (select invite.rules_of(s, w, k.has_choices, v_sending.late_send_hours, k.has_caps) as rules offset 0) as r
  left join lateral (
    select
      invite.message_deadline(r.rules, m) as deadline,
      case when m.status = 'queued' and m.not_before <= t.now then
        invite.wait_of(r.rules, m, i.email, b.trigger_token_id, array[i.time_zone, b.time_zone], t.now)
      end as wait,
      invite.has_declined(r.rules, i.email) as declined
    where (r.rules).survey_id is not null
    offset 0
  ) as c on true
  cross join lateral (
    select invite.departure_reason(
      m, i.responded_at,
      exists (select from invite.suppressions as x where x.workspace_id = i.workspace_id and x.email = lower(i.email)),
      c.declined, b.rejected_kind, h.hold_reason is not null, c.deadline, c.wait, t.sending, t.now) as reason
    offset 0
  ) as d
  where m.invitation_id = any (departures.invitation_ids)
  order by m.invitation_id, m.number;
end
$$;
comment on function invite.departures(bigint[], timestamptz) is
  'Whether each message of these invitations may leave, at a time: the verdict, the reason, what holds it, and until when, if that is known: for what is held, its deadline.';
