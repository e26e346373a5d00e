-- Pins: enable_nestloop = off, because how long the list is isn't known when the plan is made.
create or replace function invite.forecast_places(messages invite.pending_message[], workspace invite.workspaces) returns setof invite.pending_message
language plpgsql stable
set enable_nestloop = off set jit = off set work_mem = '64MB'
as $$
declare
  v_has_hours constant boolean := num_nonnulls(workspace.open_hours, workspace.closed_days) > 0;
  v_planned invite.place[];
begin
  v_planned := (
    select l.planned
    from invite.plan_places(
      workspace,
      array(
        select row(
          m.invitation_id, m.number, m.leaves_at, (m.deadline).at, m.promised_at, null, m.sender_domain, m.recipient_domain, z.name, m.is_small,
          m.unconfirmed_since is not null)::invite.place
        from unnest(forecast_places.messages) as m
        left join (
          select d.time_zones, invite.zone_of(variadic d.time_zones) as name
          from (select distinct x.time_zones from unnest(forecast_places.messages) as x where v_has_hours and x.time_zones is not null) as d
        ) as z on z.time_zones = m.time_zones
        where m.leaves_at is not null
        order by m.leaves_at, m.invitation_id, m.number),
      array(
        select f
        from invite.released_places(workspace, array(select r from invite.cap_releases as r where r.workspace_id = workspace.id)) as f)) as l);
  return query
  select
    m.invitation_id, m.contact, m.due_at, m.planned_at, m.look_at, m.left_at, m.rests_at_most_until, m.responded_at, m.unconfirmed_since,
    case when w.reason is distinct from 'capped_too_long' then coalesce(p.until, m.leaves_at) end, m.rest_days, m.number, m.is_asked, m.is_held,
    m.is_suppressed, m.has_declined, m.is_rejected, case when w.reason = 'capped_too_long' then w.reason else m.reason end, m.deadline, m.time_zones,
    m.promised_at, m.sender_domain, m.recipient_domain, m.is_small, coalesce(p.until > m.leaves_at, false)
  from unnest(forecast_places.messages) as m
  left join unnest(v_planned) as p on p.invitation_id = m.invitation_id and p.number = m.number
  cross join lateral (
    select invite.reason_of_wait(row(p.until, 'capped')::invite.wait, m.deadline, m.leaves_at) as reason where p.until > m.leaves_at
    union all
    select null where p.until > m.leaves_at is not true
  ) as w;
end
$$;
comment on function invite.forecast_places(invite.pending_message[], invite.workspaces) is
  'What caps make of messages of which is known when they would leave otherwise.';
