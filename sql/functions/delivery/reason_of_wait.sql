create or replace function invite.reason_of_wait(wait invite.wait, deadline invite.deadline, at timestamptz) returns invite.unsent_reason
language sql immutable parallel safe
as $$
  select case
    when (wait).until > (deadline).at and (wait).until > at + interval '30 seconds' or (wait).until = 'infinity' then
      case (wait).reason
        when 'resting' then 'rests_too_long'::invite.unsent_reason
        when 'capped' then 'capped_too_long'
        else 'opens_too_late'
      end
    when (wait).until > at then (wait).reason
  end
$$;
comment on function invite.reason_of_wait(invite.wait, invite.deadline, timestamptz) is
  'Why a message that a rule makes wait doesn''t leave: the rule, or its end, if it could not leave before its deadline. Null: it waits for nothing.';
