create type console.invitation_event as (at timestamptz, event invite.history_event, detail text);
comment on type console.invitation_event is 'Something that happened to an invitation, as in invitation_history.';

create function console.invitation_events(
  session_hash bytea, survey_id text, invitation_id bigint, max_rows integer default 100
) returns setof console.invitation_event
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_survey_role(invitation_events.session_hash, invitation_events.survey_id, 'editor');
  return query
    select n.at, n.event, n.detail
    from (
      select h.at, h.event, h.detail
      from invite.invitation_history as h
      where h.id = invitation_events.invitation_id and h.survey_id = invitation_events.survey_id
      order by h.at desc
      limit invitation_events.max_rows
    ) as n
    order by n.at;
end
$$;
comment on function console.invitation_events(bytea, text, bigint, integer) is 'What happened to an invitation, in order.';
