/*
 * A message that was tried before counts as of a small batch: it would lose its turn otherwise.
 * Pins: lookup plan.
 */
create or replace function invite.places_of(messages invite.due_message[], at timestamptz, out workspace_id text, out place invite.place)
returns setof record
language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
begin
  return query
  select
    w.id,
    row(
      m.invitation_id, m.number, places_of.at, (d.deadline).at, case when m.rule = 'capped' then m.not_before end, null,
      invite.domain_of(invite.sender_of(w.sender, b.sender) ->> 'email'),
      invite.domain_of(i.email),
      case when num_nonnulls(w.open_hours, w.closed_days) > 0 then invite.zone_of(i.time_zone, b.time_zone, s.time_zone, w.time_zone) end,
      b.recipients <= 10 or m.attempts > 0, m.unconfirmed_since is not null)::invite.place
  from unnest(places_of.messages) with ordinality as d
  join invite.messages as m on m.invitation_id = d.id and m.number = d.number
  join invite.invitations as i on i.id = m.invitation_id
  join invite.batches as b on b.id = i.batch_id
  join invite.surveys as s on s.id = m.survey_id
  join invite.workspaces as w on w.id = s.workspace_id
  order by d.ordinality;
end
$$;
comment on function invite.places_of(invite.due_message[], timestamptz) is 'What plan_places has to know of messages, each with its workspace.';
