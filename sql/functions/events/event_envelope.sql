create or replace function invite.event_envelope(event invite.event) returns jsonb
language plpgsql stable
as $$
begin
  return jsonb_build_object(
    'id', event.id, 'type', event.type, 'version', 1,
    'cursor', (
      select invite.event_cursor(event.position, w, coalesce(w.epoch, g.epoch))
      from invite.workspaces as w
      cross join invite.settings as g
      where w.id = event.workspace_id),
    'timestamp', to_char(event.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', event.data);
end
$$;
comment on function invite.event_envelope(invite.event) is 'An event as JSON, as HTTP and webhooks send it.';
