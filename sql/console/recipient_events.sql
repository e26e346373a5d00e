create type console.recipient_event as (
  at timestamptz, event invite.history_event, detail text, invitation_id bigint, survey_title text
);
comment on type console.recipient_event is 'Something that happened to a recipient''s invitation, as in invitation_history.';

/*
 * Pins: lookup plan, offset 0 fence.
 */
create function console.recipient_events(
  session_hash bytea, workspace_id text, invitation_id bigint, max_rows integer default 200
) returns setof console.recipient_event
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  perform console.require_role(recipient_events.session_hash, recipient_events.workspace_id, 'editor');
  return query
    select h.at, h.event, h.detail, h.id, s.title
    from unnest(console.recipient_ids(recipient_events.workspace_id, recipient_events.invitation_id)) as r (id)
    cross join lateral (select v.* from invite.invitation_history as v where v.id = r.id offset 0) as h
    join invite.surveys as s on s.id = h.survey_id
    order by h.at desc, h.id desc, h.event desc
    limit recipient_events.max_rows;
end
$$;
comment on function console.recipient_events(bytea, text, bigint, integer) is
  'What happened to all invitations of a recipient in the workspace, newest first; bounded.';
