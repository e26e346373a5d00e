-- Deferrals are many and change nothing, and a low score is told by response.submitted too: an endpoint that takes all events gets these only if it
-- names them.
create or replace function invite.is_event_wanted(types invite.event_type[], type invite.event_type) returns boolean
language sql immutable parallel safe
as $$
  select case when types is null then type not in ('invitation.deferred', 'response.low_score') else type = any (types) end
$$;
comment on function invite.is_event_wanted(invite.event_type[], invite.event_type) is 'Whether a webhook endpoint with these types gets an event of a type.';
