/*
 * The rule of what rejects a trigger request, in one place and in one order:
 * unknown_token, a replay or idempotency_key_reused, workspace_disabled, plan_required, survey_disabled, cooldown.
 * (The hourly limit is in reserve_quota.)
 *
 * A replay comes before every rejection but unknown_token. A client repeats a request because it has not seen the response: the batch is
 * queued whatever has happened to the cooldown, the plan or the workspace since, and a rejection would say that it is not.
 *
 * Runs under the caller's locks of the tokens that are not cooling down; takes none itself. The settings of accept_triggers pin its plan: settings of
 * its own would be set and taken back at each call.
 */
create or replace function invite.check_triggers(requests jsonb, at timestamptz) returns setof invite.trigger_check
language plpgsql stable
as $$
begin
  return query
  with request as materialized (
    select
      (n.number - 1)::integer as number, r.idempotency_key, r.payload_hash,
      jsonb_array_length(n.request -> 'recipients') as recipients,
      t.id as token_id, t.survey_id, t.deleted_at, invite.cools_until(t) as cools_until
    from jsonb_array_elements(check_triggers.requests) with ordinality as n (request, number)
    cross join lateral jsonb_to_record(n.request) as r (secret_hash bytea, idempotency_key text, payload_hash bytea)
    left join invite.trigger_tokens as t on t.secret_hash = r.secret_hash
  )
  select
    r.number, r.token_id, s.id, w.id, r.recipients,
    case when o.outcome is not null then
      row(
        o.outcome,
        case when o.outcome = 'cooldown' then greatest(1, ceil(extract(epoch from r.cools_until - check_triggers.at))) end,
        b.id, b.scheduled_at, case when b.scheduled_at > b.accepted_at then 'scheduled' when b.id is not null then 'queued' end,
        case when b.id is not null then true end, r.number
      )::invite.trigger_result
    end
  from request as r
  left join invite.surveys as s on s.id = r.survey_id
  left join invite.workspaces as w on w.id = s.workspace_id
  left join invite.plans as p on p.id = w.plan_id
  left join invite.idempotency_keys as k
    on k.trigger_token_id = r.token_id and k.key = r.idempotency_key
    and k.created_at > check_triggers.at - interval '24 hours'
  left join invite.batches as b on b.id = k.batch_id and k.payload_hash = r.payload_hash
  cross join lateral (select invite.hold_reason(s, w, p) as reason) as h
  cross join lateral (
    select
      case
        when r.token_id is null or r.deleted_at is not null then 'unknown_token'
        when b.id is not null then 'accepted'
        when k.key is not null then 'idempotency_key_reused'
        when h.reason = 'workspace_suspended' then 'workspace_disabled'
        when h.reason = 'plan_required' then 'plan_required'
        when h.reason = 'survey_disabled' then 'survey_disabled'
        when r.cools_until > check_triggers.at then 'cooldown'
      end::invite.trigger_outcome as outcome
  ) as o;
end
$$;
comment on function invite.check_triggers(jsonb, timestamptz) is
  'Which of these requests would be rejected or replayed at the given time, and why. retry_after_seconds: whole seconds until the cooldown ends, at least 1.';
