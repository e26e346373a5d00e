/*
 * Rest: after an invitation that left, or may have left, the address gets no other for so many times 24 hours, of any survey of the
 * workspace. Reminders neither rest nor start a rest. A certain failure starts none, and a message's own earlier attempt makes it rest never.
 * While another is on its way, or an older one is about to leave, it waits for half a minute: then it is known what became of that.
 * A token, or a person who sends it anyway, may ignore the rest of the workspace, but not what the recipient chose: at most one in 30 days.
 *
 * Hours: the first quarter of an hour that is open, in the recipient's time zone, the batch's, the survey's or the workspace's. Hours after a
 * half minute's rest aren't looked up: it may turn out that there is none.
 *
 * A message that may have left is tried again at once, because a relay forgets its idempotency key.
 *
 * time_zones: the recipient's and the batch's. With the owner's rights, because views ask it with those of their reader. Pins: lookup plan.
 */
create or replace function invite.wait_of(
  rules invite.survey_rules, message invite.messages, email text, trigger_token_id uuid, time_zones text[], at timestamptz
) returns invite.wait
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_days integer;
  v_rests_until timestamptz;
  v_from timestamptz;
  v_until timestamptz;
begin
  if message.unconfirmed_since is not null then
    return null;
  end if;
  if message.number = 0 and (rules.has_choices or rules.rest_days is not null) then
    if rules.rest_days is not null and not message.ignores_rest
      and not (select t.ignores_rest from invite.trigger_tokens as t where t.id = wait_of.trigger_token_id)
    then
      v_days := rules.rest_days;
    end if;
    if rules.has_choices and exists (
      select from invite.recipient_choices as c
      where c.workspace_id = rules.workspace_id and c.email = lower(wait_of.email collate "C") and c.survey_id = ''
    ) then
      v_days := greatest(v_days, 30);
    end if;
    if v_days is not null then
      select max(case
        when m.status = 'sending' or m.status = 'queued' and m.unconfirmed_since is not null then wait_of.at + interval '30 seconds'
        when m.status = 'queued' then
          case when m.not_before <= wait_of.at and (m.due_at, m.invitation_id) < (message.due_at, message.invitation_id)
            and invite.is_sendable(m.survey_id)
            then wait_of.at + interval '30 seconds'
          end
        when m.sent_at is not null then m.sent_at + v_days * interval '24 hours'
        -- It may have left until it ended.
        when m.unconfirmed_since is not null then
          greatest(m.unconfirmed_since, m.failed_at, m.skipped_at, m.cancelled_at) + v_days * interval '24 hours'
      end)
      into v_rests_until
      from invite.addresses as a
      join invite.messages as m on m.invitation_id = a.invitation_id and m.number = 0
      where a.workspace_id = rules.workspace_id and a.email = lower(wait_of.email collate "C") and a.invitation_id <> message.invitation_id
        and (m.sent_at > wait_of.at - v_days * interval '24 hours' or m.unconfirmed_since is not null or m.status in ('sending', 'queued'));
    end if;
  end if;

  v_from := case when v_rests_until > wait_of.at + interval '30 seconds' then v_rests_until else wait_of.at end;
  v_until := v_from;
  if num_nonnulls(rules.open_hours, rules.closed_days) > 0 then
    v_until := coalesce(
      invite.next_open(rules.open_hours, rules.closed_days, invite.zone_of(variadic wait_of.time_zones || rules.time_zones), v_from),
      'infinity');
  end if;
  return case
    when v_until > wait_of.at then
      row(v_until, case when v_from > wait_of.at then 'resting' else 'outside_hours' end::invite.unsent_reason)::invite.wait
    when v_rests_until > wait_of.at then row(v_rests_until, 'resting')::invite.wait
  end;
end
$$;
comment on function invite.wait_of(invite.survey_rules, invite.messages, text, uuid, text[], timestamptz) is
  'Until when a rest or the hours make a message wait, and which of them. Null: it may leave.';
