create or replace function invite.count_places(changes invite.cap_slots[]) returns void
language sql volatile
as $$
  insert into invite.cap_slots as s (workspace_id, scope, domain, slot, large, small, lost, used)
  select c.workspace_id, c.scope, c.domain, c.slot, c.large, c.small, c.lost, c.used
  from unnest(count_places.changes) as c
  order by 1, 2, 3, 4
  on conflict on constraint cap_slots_pkey do update
  set
    large = greatest(s.large + excluded.large, 0), small = greatest(s.small + excluded.small, 0), lost = greatest(s.lost + excluded.lost, 0),
    used = greatest(s.used + excluded.used, 0)
$$;
comment on function invite.count_places(invite.cap_slots[]) is 'Adds to the places that were given under caps. The caller has locked the caps.';
