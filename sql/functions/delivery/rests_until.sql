/*
 * After an invitation that left, or may have left, the address gets no other for so many times 24 hours, of any survey of the workspace.
 * Reminders don't start a rest. A certain failure starts none, and a message's own earlier attempt makes it rest never. While another is on
 * its way, or an older one is about to leave, it rests for half a minute: then it is known what became of that.
 * A token, or a person who sends it anyway, may ignore the rest of the workspace, but not what the recipient chose: at most one in 30 days.
 *
 * With the owner's rights, because views ask it with those of their reader. Pins: lookup plan.
 */
create or replace function invite.rests_until(
  rules invite.survey_rules, message invite.messages, email text, trigger_token_id uuid, at timestamptz
) returns timestamptz
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_days integer;
  v_until timestamptz;
begin
  if rules.rest_days is not null and not message.ignores_rest
    and not (select t.ignores_rest from invite.trigger_tokens as t where t.id = rests_until.trigger_token_id)
  then
    v_days := rules.rest_days;
  end if;
  if rules.has_choices and exists (
    select from invite.recipient_choices as c
    where c.workspace_id = rules.workspace_id and c.email = lower(rests_until.email collate "C") and c.survey_id = ''
  ) then
    v_days := greatest(v_days, 30);
  end if;
  if v_days is not null then
    select max(case
      when m.status = 'sending' or m.status = 'queued' and m.unconfirmed_since is not null then rests_until.at + interval '30 seconds'
      when m.status = 'queued' then
        case when m.not_before <= rests_until.at and (m.due_at, m.invitation_id) < (message.due_at, message.invitation_id)
          then rests_until.at + interval '30 seconds'
        end
      when m.sent_at is not null then m.sent_at + v_days * interval '24 hours'
      -- It may have left until it ended.
      when m.unconfirmed_since is not null then
        greatest(m.unconfirmed_since, m.failed_at, m.skipped_at, m.cancelled_at) + v_days * interval '24 hours'
    end)
    into v_until
    from invite.addresses as a
    join invite.messages as m on m.invitation_id = a.invitation_id and m.number = 0
    where a.workspace_id = rules.workspace_id and a.email = lower(rests_until.email collate "C") and a.invitation_id <> message.invitation_id
      and (m.sent_at > rests_until.at - v_days * interval '24 hours' or m.unconfirmed_since is not null or m.status in ('sending', 'queued'));
  end if;
  return v_until;
end
$$;
comment on function invite.rests_until(invite.survey_rules, invite.messages, text, uuid, timestamptz) is
  'Until when an invitation to an address rests. Null, or in the past: it doesn''t.';
