create or replace function invite.event_envelope(event invite.event) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', event.id, 'type', event.type, 'version', 1, 'position', event.position,
    'timestamp', to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', event.data)
$$;
comment on function invite.event_envelope(invite.event) is 'An event as JSON, as HTTP and webhooks send it.';
