/*
 * The rule of what refuses a trigger request, in one place and in one order:
 * unknown_token, workspace_disabled, plan_required, survey_disabled, cooldown. (The volume limit is take_volume's.)
 *
 * Called by: accept_trigger, twice: before the token's lock, so that a hammering caller costs no lock, and under it, where it
 * decides. Takes no lock itself.
 */
create or replace function invite.check_trigger(secret_hash bytea, at timestamptz) returns invite.trigger_check
language sql stable
as $$
  select (
    case
      when t.id is null then 'unknown_token'
      when w.suspended_at is not null then 'workspace_disabled'
      when not p.api_trigger then 'plan_required'
      when s.disabled_at is not null then 'survey_disabled'
      when t.last_accepted_at > check_trigger.at - t.cooldown_seconds * interval '1 second' then 'cooldown'
      else 'accepted'
    end,
    case
      when t.last_accepted_at > check_trigger.at - t.cooldown_seconds * interval '1 second' then
        greatest(1, ceil(extract(epoch from
          t.last_accepted_at + t.cooldown_seconds * interval '1 second' - check_trigger.at)))
    end,
    t.id, s.id, w.id
  )::invite.trigger_check
  from (select) as always_one_row
  left join invite.trigger_tokens as t
    on t.secret_hash = check_trigger.secret_hash and t.deleted_at is null
  left join invite.surveys as s on s.id = t.survey_id
  left join invite.workspaces as w on w.id = s.workspace_id
  left join invite.plans as p on p.id = w.plan_id;
$$;
comment on function invite.check_trigger(bytea, timestamptz) is
  'Whether a request with this token would be refused at the given time, and why. retry_after_seconds: whole seconds until the cooldown ends, at least 1.';
