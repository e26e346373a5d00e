create or replace function invite.arrived_homes() returns text[]
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select array(select w.home from invite.workspaces as w where left(w.home, 4) <> invite.home() and w.moved_to is null order by w.home)
$$;
comment on function invite.arrived_homes() is 'The homes of the workspaces that have come from other databases, for a router that is made anew.';
