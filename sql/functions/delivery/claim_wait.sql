/*
 * As wait_of, exact when many claim at once: of several messages to an address, one is claimed at a time. The lock is tried, never waited
 * for; what doesn't get it is looked at again in half a minute. After the lock, wait_of reads what was committed before it: that needs READ
 * COMMITTED, which the connection sets.
 *
 * Locks: the address in its workspace (advisory, until the transaction ends), if it may rest.
 */
create or replace function invite.claim_wait(
  rules invite.survey_rules, message invite.messages, email text, trigger_token_id uuid, time_zones text[], at timestamptz
) returns invite.wait
language plpgsql volatile
as $$
declare
  v_rules invite.survey_rules := claim_wait.rules;
begin
  -- The claim takes the places of all its messages together (take_places).
  v_rules.has_caps := false;
  if message.number = 0 and (rules.has_choices or rules.rest_days is not null)
    and not pg_try_advisory_xact_lock(invite.address_key(rules.workspace_id, claim_wait.email))
  then
    return row(claim_wait.at + interval '30 seconds', 'resting')::invite.wait;
  end if;
  return invite.wait_of(v_rules, message, claim_wait.email, claim_wait.trigger_token_id, claim_wait.time_zones, claim_wait.at);
end
$$;
comment on function invite.claim_wait(invite.survey_rules, invite.messages, text, uuid, text[], timestamptz) is
  'As wait_of, for a claim: it also waits while somebody else claims a message to the same address.';
