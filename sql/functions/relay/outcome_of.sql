create or replace function invite.outcome_of(type invite.relay_event_type) returns invite.invitation_outcome
language sql immutable parallel safe
as $$
  select case outcome_of.type
    when 'soft_bounce' then 'soft_bounced'::invite.invitation_outcome
    when 'delivered' then 'delivered'
    when 'unsubscribe' then 'unsubscribed'
    when 'hard_bounce' then 'bounced'
    when 'complaint' then 'complained'
  end
$$;
comment on function invite.outcome_of(invite.relay_event_type) is 'The outcome of an invitation that a relay event of this type reports.';
