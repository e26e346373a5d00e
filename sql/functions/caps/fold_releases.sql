-- The caller has locked the workspace's caps.
create or replace function invite.fold_releases(workspace invite.workspaces) returns void
language plpgsql volatile
as $$
begin
  if not exists (select from invite.cap_releases as r where r.workspace_id = workspace.id) then
    return;
  end if;
  with gone as (
    delete from invite.cap_releases as r where r.workspace_id = workspace.id returning r
  )
  update invite.cap_slots as s
  set large = greatest(s.large - c.large, 0), small = greatest(s.small - c.small, 0), lost = 0
  from invite.released_places(workspace, array(select g.r from gone as g)) as c
  where s.workspace_id = workspace.id and s.scope = c.scope and s.domain = c.domain and s.slot = c.slot;
end
$$;
comment on function invite.fold_releases(invite.workspaces) is 'Takes promised places that no message uses any more off the caps'' hours.';
