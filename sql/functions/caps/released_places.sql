create or replace function invite.released_places(workspace invite.workspaces, releases invite.cap_releases[]) returns setof invite.cap_slots
language sql stable
as $$
  with places as (
    select
      date_trunc('hour', g.not_before, 'UTC') as slot,
      row(null, null, null, null, null, null, g.sender_domain, g.recipient_domain, null, g.is_small, null)::invite.place as place,
      count(*)::integer as emails
    from unnest(released_places.releases) as g
    group by 1, g.sender_domain, g.recipient_domain, g.is_small
  )
  select
    (released_places.workspace).id, c.scope, c.domain, p.slot, coalesce(sum(p.emails) filter (where not (p.place).is_small), 0)::integer,
    coalesce(sum(p.emails) filter (where (p.place).is_small), 0)::integer, 0, 0
  from places as p
  join invite.caps_of(released_places.workspace, array(select (x.place).recipient_domain from places as x)) as c
    on invite.is_counted(c.scope, c.domain, p.place)
  group by 2, 3, 4
$$;
comment on function invite.released_places(invite.workspaces, invite.cap_releases[]) is 'By cap and hour: the promised places that no message uses any more.';
