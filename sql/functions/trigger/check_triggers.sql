/*
 * Checks in this order: unknown_token, a replay or idempotency_key_reused, workspace_disabled, plan_required, survey_disabled, cooldown,
 * flood_protection.
 *
 * locked: the numbers, from 0, of the requests whose tokens the caller has locked. No other request is accepted.
 *
 * A client repeats a request because it has not seen the response. Its batch is queued, even if the cooldown, the plan or the workspace
 * would now reject the request, and a rejection would tell the client otherwise. So replays are checked before those.
 *
 * flood_protection limits the recipients of a workspace in any rolling hour. Each batch has the workspace's total after it. A limit of 100
 * an hour, and totals 40, 80, 120: the third request makes the total 120, so all recipients up to total 20 must be older than an hour.
 * These are in the first batch, so the third request is rejected until the first is an hour old (quota_end).
 *
 * The requests of a call use the quota in their order. A request that would only fit without those before it has no result, and the caller
 * must send it again. Batches from SQL that have no total yet count as newer than all totals.
 *
 * Raises: IT503 if one of the workspaces moves or has moved.
 *
 * Runs under the caller's locks of tokens and quotas, and with the caller's plan settings, because its own would be set and reset at each
 * call. Pins: offset 0 fence.
 */
create or replace function invite.check_triggers(requests jsonb, locked integer[], recipients_per_hour integer, at timestamptz)
returns invite.trigger_check[]
language plpgsql stable
as $$
begin
  return array(
    with decided as materialized (
      select
        (n.number - 1)::integer as number, t.id as token_id, t.survey_id, s.workspace_id, s.records_events, s.is_test, s.hold_reason, s.rules,
        jsonb_array_length(r.recipients) as recipients, t.ends_at, b.id as batch_id, b.scheduled_at, b.accepted_at, o.outcome,
        o.outcome is null and n.number - 1 = any (check_triggers.locked) as asks
      from jsonb_array_elements(check_triggers.requests) with ordinality as n (request, number)
      cross join lateral jsonb_to_record(n.request) as r (
        secret_hash bytea, recipients jsonb, idempotency_key text, payload_hash bytea)
      left join lateral (
        select t.id, t.survey_id, t.deleted_at, c.ends_at
        from invite.tokens_of(r.secret_hash) as k
        join invite.trigger_tokens as t on t.id = k.id
        left join lateral invite.cooldown_end(t.id, t.cooldown_seconds, check_triggers.at) as c (ends_at) on true
        offset 0
      ) as t on true
      left join lateral (
        select w.id as workspace_id, w.moved_to, w.records_events, w.test_of is not null as is_test, invite.hold_reason(s, w, p, (select g from invite.settings as g)) as hold_reason,
          case when (invite.rules_of(s, w, false, null)).survey_id is not null then
            invite.rules_of(s, w, false, (invite.sending_now(case when w.test_of is null then check_triggers.at else invite.now() end)).late_send_hours)
          end as rules
        from invite.surveys as s
        join invite.workspaces as w on w.id = s.workspace_id
        join invite.plans as p on p.id = w.plan_id
        where s.id = t.survey_id
        offset 0
      ) as s on true
      left join lateral (
        select k.batch_id, k.payload_hash
        from invite.idempotency_keys as k
        where k.trigger_token_id = t.id and k.key = r.idempotency_key
          and k.created_at > check_triggers.at - interval '24 hours'
        offset 0
      ) as k on true
      left join lateral (
        select b.id, b.scheduled_at, b.accepted_at
        from invite.batches as b
        where b.id = k.batch_id and k.payload_hash = r.payload_hash
        offset 0
      ) as b on true
      cross join lateral (
        select
          case
            when t.id is null or t.deleted_at is not null then 'unknown_token'::invite.trigger_outcome
            when s.moved_to is not null then invite.refuse_moved(s.workspace_id, s.moved_to)::invite.trigger_outcome
            when b.id is not null then 'accepted'
            when k.batch_id is not null then 'idempotency_key_reused'
            when s.hold_reason = 'workspace_suspended' then 'workspace_disabled'
            when s.hold_reason = 'plan_required' then 'plan_required'
            when s.hold_reason = 'survey_disabled' then 'survey_disabled'
            when t.ends_at is not null then 'cooldown'
          end as outcome
      ) as o
    ),
    -- Once for each workspace of the call. Of the uncounted batches no more are read than could use up the quota.
    used as materialized (
      select
        d.workspace_id,
        coalesce((
          select c.workspace_total
          from invite.batches as c
          where c.workspace_id = d.workspace_id and c.workspace_total is not null
          order by c.workspace_total desc
          limit 1
        ), 0) as counted,
        (
          select sum(u.recipients)
          from (
            select x.recipients
            from invite.batches as x
            where x.workspace_id = d.workspace_id and x.workspace_total is null
            limit check_triggers.recipients_per_hour + 1
          ) as u
        ) as uncounted
      from (select distinct x.workspace_id from decided as x where x.asks) as d
    ),
    asked as (
      select
        d.*, coalesce(u.counted, 0) as counted, u.uncounted,
        sum(d.recipients) filter (where d.asks) over (partition by d.workspace_id order by d.number) as asked_so_far
      from decided as d
      left join used as u on u.workspace_id = d.workspace_id and d.asks
    )
    select row(
      a.number, a.token_id, a.survey_id, a.workspace_id, a.recipients, a.counted + a.asked_so_far, a.records_events, a.hold_reason, a.rules,
      case when o.outcome is not null then
        row(
          o.outcome,
          case
            when o.outcome = 'cooldown' then greatest(1, ceil(extract(epoch from a.ends_at - check_triggers.at)))
            when a.asks and alone.ends_at is null then 3600
            when a.asks then greatest(1, ceil(extract(epoch from alone.ends_at - check_triggers.at)))
          end,
          a.batch_id, a.scheduled_at, case when a.scheduled_at > a.accepted_at then 'scheduled' when a.batch_id is not null then 'queued' end,
          case when a.batch_id is not null then true end, case when a.batch_id is not null then false end,
          case when a.batch_id is not null then a.hold_reason end, null, null, null, a.number,
          a.workspace_id, a.survey_id
        )::invite.trigger_result
      end,
      a.is_test
    )::invite.trigger_check
    from asked as a
    cross join lateral (select a.counted + coalesce(a.uncounted, 0) as used) as q
    left join lateral invite.quota_end(
      a.workspace_id, case when a.asks then q.used + a.recipients - check_triggers.recipients_per_hour end, check_triggers.at
    ) as alone (ends_at) on true
    left join lateral invite.quota_end(
      a.workspace_id, case when a.asks and a.asked_so_far > a.recipients then q.used + a.asked_so_far - check_triggers.recipients_per_hour end,
      check_triggers.at
    ) as together (ends_at) on true
    cross join lateral (
      select
        case
          when a.outcome is not null then a.outcome
          when a.recipients > check_triggers.recipients_per_hour or alone.ends_at is not null then 'flood_protection'
          when a.uncounted + a.recipients > check_triggers.recipients_per_hour then 'flood_protection'
        end as outcome
    ) as o
    where o.outcome is not null
      or a.asks and coalesce(a.uncounted, 0) + a.asked_so_far <= check_triggers.recipients_per_hour and together.ends_at is null
  );
end
$$;
comment on function invite.check_triggers(jsonb, integer[], integer, timestamptz) is
  'The result of each request at the given time: rejected, replayed or acceptable. retry_after_seconds: whole seconds, at least 1, until the '
  'cooldown ends or the quota allows the request. No result: send the request again.';
