/*
 * workspace, survey: with the rules that are asked about; the rows may have others. No survey: all surveys of the workspace.
 *
 * What is asked about is taken to be active. So what waits, and what a rule has put off of a survey that is held, is looked at now. With
 * looks_again, as after a change of a rule, so is all that a rule has put off.
 * With a rest, it also returns what other surveys of the workspace have queued for the same addresses: it may leave first or, if its survey is
 * held, be in the way for half a minute.
 *
 * Pins: lookup plan, offset 0 fence.
 */
create or replace function invite.pending_messages(
  workspace invite.workspaces, survey invite.surveys, max_count integer, at timestamptz, looks_again boolean
) returns setof invite.pending_message
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off set work_mem = '64MB'
as $$
declare
  w constant invite.workspaces := workspace;
  v_asked invite.surveys := survey;
  -- Workers run in the present time, whatever a test clock shows.
  v_late_hours constant integer := (invite.sending_now(case when w.test_now is null then pending_messages.at else invite.now() end)).late_send_hours;
  v_has_choices constant boolean := exists (select from invite.recipient_choices as c where c.workspace_id = w.id);
  v_can_rest constant boolean := v_has_choices or w.rest_days is not null;
  v_has_caps constant boolean := invite.has_caps(w);
  v_has_hours constant boolean := num_nonnulls(w.open_hours, w.closed_days) > 0;
  v_is_held constant boolean := (
    select invite.hold_reason(null, w, p, g) is not null from invite.plans as p cross join invite.settings as g where p.id = w.plan_id);
  v_asked_is_held constant boolean := invite.hold_of_survey(survey) is not null;
  v_rules invite.survey_rules;
begin
  v_asked.activated_at := coalesce(v_asked.activated_at, pending_messages.at);
  v_rules := invite.rules_of(v_asked, w, v_has_choices, v_late_hours);
  return query
  with asked as materialized (
    select m.invitation_id, m.number
    from invite.surveys as s
    cross join lateral (
      select m.invitation_id, m.number
      from unnest('{queued,waiting}'::invite.message_status[]) as k (status)
      join invite.messages as m on m.survey_id = s.id and m.status = k.status and m.is_last and m.status <> 'sending'
      limit pending_messages.max_count
    ) as m
    where s.workspace_id = w.id and (v_asked.id is null or s.id = v_asked.id)
    limit pending_messages.max_count
  ),
  -- What has left is a row too, until the window below has read it.
  others as (
    select
      m.invitation_id, e.email,
      case
        when m.status = 'sending' then pending_messages.at
        when p.is_rival then null
        when m.unconfirmed_since is null then m.sent_at
        else coalesce(m.sent_at, greatest(m.unconfirmed_since, m.failed_at, m.skipped_at, m.cancelled_at))
      end as left_at,
      p.is_rival
    from (
      select distinct lower(i.email collate "C") as email
      from asked as a
      join invite.invitations as i on i.id = a.invitation_id
      where v_can_rest and a.number = 0
    ) as e
    join invite.addresses as a on a.workspace_id = w.id and a.email = e.email
    join invite.messages as m on m.invitation_id = a.invitation_id and m.number = 0
    join invite.surveys as s on s.id = m.survey_id
    cross join lateral (
      select
        m.status in ('queued', 'waiting') and (v_asked.id is null or m.survey_id = v_asked.id) as is_asked,
        m.survey_id <> v_asked.id and (m.status = 'queued' or m.status = 'waiting' and invite.hold_of_survey(s) is null) as is_rival
    ) as p
    where not p.is_asked
  ),
  known as materialized (
    select a.invitation_id, a.number, true as is_asked, null::text collate "C" as email, null::timestamptz as left_at from asked as a
    union all
    select o.invitation_id, 0::smallint, false, o.email, o.left_at from others as o where o.is_rival or o.left_at is not null
  ),
  pending as (
    select
      k.invitation_id, k.number, k.is_asked, k.left_at, m.due_at,
      case when v_can_rest and k.number = 0 then invite.address_key(w.id, coalesce(i.email, k.email)) else k.invitation_id end as contact,
      case when m.rule is null then l.look_at else greatest(m.due_at, pending_messages.at) end as planned_at,
      l.look_at, not k.is_asked and r.is_held as is_held, i.responded_at, m.unconfirmed_since,
      case when (r.rules).delay_hours is null then greatest(m.due_at, m.retried_at) + interval '30 days' end as rests_at_most_until,
      case when v_can_rest and k.number = 0 then
        greatest(
          case
            when not m.ignores_rest and not (select t.ignores_rest from invite.trigger_tokens as t where t.id = b.trigger_token_id)
              then w.rest_days
          end,
          case when v_has_choices and exists (
            select from invite.recipient_choices as c where c.workspace_id = w.id and c.email = lower(i.email collate "C") and c.survey_id = ''
          ) then 30 end)
      end as rest_days,
      exists (select from invite.suppressions as x where x.workspace_id = w.id and x.email = lower(i.email)) as is_suppressed,
      v_has_choices and invite.has_declined(r.rules, i.email) as has_declined,
      coalesce(b.rejected_kind = m.message_kind, false) as is_rejected,
      case when (r.rules).survey_id is not null then
        invite.deadline_of(r.rules, greatest(m.due_at, m.retried_at), f.sent_at)
      end as deadline,
      case when v_has_hours then array[i.time_zone, b.time_zone] || (r.rules).time_zones end as time_zones,
      case when v_has_caps and m.rule = 'capped' then m.not_before end as promised_at,
      case when v_has_caps then invite.domain_of(invite.sender_of(w.sender, b.sender) ->> 'email') end as sender_domain,
      case when v_has_caps then invite.domain_of(i.email) end as recipient_domain, b.recipients <= 10 or m.attempts > 0 as is_small
    from known as k
    left join (
      invite.messages as m
      join invite.invitations as i on i.id = m.invitation_id
      join invite.batches as b on b.id = i.batch_id
      -- The survey that is asked about has most of them.
      left join invite.surveys as o on m.survey_id is distinct from v_asked.id and o.id = m.survey_id
      cross join lateral (
        select
          case when o.id is null then v_rules else invite.rules_of(o, w, v_has_choices, v_late_hours) end as rules,
          case when o.id is null then v_asked_is_held else invite.hold_of_survey(o) is not null end as is_held
        offset 0
      ) as r
    ) on k.left_at is null and m.invitation_id = k.invitation_id and m.number = k.number
    left join invite.messages as f on k.number > 0 and f.invitation_id = k.invitation_id and f.number = 0
    cross join lateral (
      select case
        when m.status = 'waiting'
          or m.rule is not null and (pending_messages.looks_again or k.is_asked and (v_is_held or r.is_held))
          then pending_messages.at
        else greatest(m.not_before, pending_messages.at)
      end as look_at
    ) as l
  )
  select
    p.invitation_id, p.contact, p.due_at, p.planned_at, p.look_at, p.last_left_at, p.rests_at_most_until, p.responded_at,
    p.unconfirmed_since, null::timestamptz, p.rest_days,
    p.number, p.is_asked, p.is_held, p.is_suppressed, p.has_declined, p.is_rejected, null::invite.unsent_reason, p.deadline, p.time_zones, p.promised_at, p.sender_domain, p.recipient_domain, p.is_small, false
  from (select p.*, max(p.left_at) over (partition by p.contact) as last_left_at from pending as p) as p
  where p.left_at is null;
end
$$;
comment on function invite.pending_messages(invite.workspaces, invite.surveys, integer, timestamptz, boolean) is
  'The messages that a forecast is about, and those that they may have to rest for.';
