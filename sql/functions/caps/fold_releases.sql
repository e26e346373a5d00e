-- The caller has locked the workspace's caps.
create or replace function invite.fold_releases(workspace invite.workspaces) returns void
language plpgsql volatile
as $$
begin
  if not exists (select from invite.cap_releases as r where r.workspace_id = workspace.id) then
    return;
  end if;
  with gone as (
    delete from invite.cap_releases as r where r.workspace_id = workspace.id returning r.*
  ),
  places as (
    select
      date_trunc('hour', g.not_before, 'UTC') as slot,
      row(null, null, null, null, null, null, g.sender_domain, g.recipient_domain, null, g.is_small, null)::invite.place as place,
      count(*)::integer as emails
    from gone as g
    group by 1, g.sender_domain, g.recipient_domain, g.is_small
  ),
  changes as (
    select
      c.scope, c.domain, p.slot, coalesce(sum(p.emails) filter (where not (p.place).is_small), 0) as large,
      coalesce(sum(p.emails) filter (where (p.place).is_small), 0) as small
    from places as p
    join invite.caps_of(workspace, array(select (x.place).recipient_domain from places as x)) as c on invite.is_counted(c.scope, c.domain, p.place)
    group by 1, 2, 3
  )
  update invite.cap_slots as s
  set large = greatest(s.large - c.large, 0), small = greatest(s.small - c.small, 0), lost = 0
  from changes as c
  where s.workspace_id = workspace.id and s.scope = c.scope and s.domain = c.domain and s.slot = c.slot;
end
$$;
comment on function invite.fold_releases(invite.workspaces) is 'Takes promised places that no message uses any more off the caps'' hours.';
