/*
 * Rest: rests_until; a reminder never rests. Hours: the first quarter of an hour that is open, in the recipient's time zone, the batch's, the
 * survey's or the workspace's. Hours after a half minute's rest aren't looked up: it may turn out that there is none. Caps count
 * what could leave otherwise: capped_until.
 *
 * A message that may have left is tried again at once, because a relay forgets its idempotency key.
 *
 * time_zones: the recipient's and the batch's.
 */
create or replace function invite.wait_of(
  rules invite.survey_rules, message invite.messages, email text, trigger_token_id uuid, time_zones text[], at timestamptz
) returns invite.wait
language plpgsql stable
as $$
declare
  v_rests_until timestamptz;
  v_capped_until timestamptz;
  v_from timestamptz;
  v_until timestamptz;
begin
  if message.unconfirmed_since is not null then
    return null;
  end if;
  if message.number = 0 and (rules.has_choices or rules.rest_days is not null) then
    v_rests_until := invite.rests_until(rules, message, wait_of.email, wait_of.trigger_token_id, wait_of.at);
    -- A choice alone sets no deadline: without an end, weekly invitations would pile up.
    if rules.delay_hours is null and v_rests_until > greatest(message.due_at, message.retried_at) + interval '30 days' then
      v_rests_until := 'infinity';
    end if;
  end if;

  v_from := case when v_rests_until > wait_of.at + interval '30 seconds' then v_rests_until else wait_of.at end;
  v_until := v_from;
  if num_nonnulls(rules.open_hours, rules.closed_days) > 0 then
    v_until := coalesce(
      invite.next_open(rules.open_hours, rules.closed_days, invite.zone_of(variadic wait_of.time_zones || rules.time_zones), v_from),
      'infinity');
  end if;
  if rules.has_caps and v_until <= wait_of.at and v_rests_until > wait_of.at is not true then
    v_capped_until := invite.capped_until(message, wait_of.at);
  end if;
  return case
    when v_until > wait_of.at then
      row(v_until, case when v_from > wait_of.at then 'resting' else 'outside_hours' end::invite.unsent_reason)::invite.wait
    when v_rests_until > wait_of.at then row(v_rests_until, 'resting')::invite.wait
    when v_capped_until > wait_of.at then row(v_capped_until, 'capped')::invite.wait
  end;
end
$$;
comment on function invite.wait_of(invite.survey_rules, invite.messages, text, uuid, text[], timestamptz) is
  'Until when a rest, the hours or caps make a message wait, and which of them. Null: it may leave.';
