/*
 * name: as logos.name. The newest 50 of a workspace are kept, and those that a sender names: emails that show an old one may be opened for years.
 * Returns the path for the sender's logo_url. A logo that was there before is as if added now.
 *
 * Locks: the workspace's row. Raises: P0002; IT503 if the workspace isn't here; 23514 of logos.
 */
create or replace function invite.add_logo(workspace_id text, name text, picture bytea) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace invite.workspaces;
begin
  select w.* into v_workspace from invite.workspaces as w where w.id = add_logo.workspace_id for no key update;
  perform invite.require_workspace(add_logo.workspace_id);
  insert into invite.logos as l (workspace_id, name, picture, added_at)
  values (v_workspace.id, add_logo.name, add_logo.picture, invite.clock())
  on conflict on constraint logos_pkey do update set added_at = excluded.added_at;
  delete from invite.logos as l
  where l.workspace_id = v_workspace.id
    and l.name = any (array(
      select x.name from invite.logos as x where x.workspace_id = v_workspace.id order by x.added_at desc, x.name offset 50))
    and not exists (
      select from invite.workspaces_with(v_workspace.id) as w
      left join invite.surveys as s on s.workspace_id = w.id
      left join invite.trigger_tokens as t on t.survey_id = s.id
      where invite.logo_path(v_workspace.home, l.name) in (w.sender ->> 'logo_url', t.sender ->> 'logo_url'));
  return invite.logo_path(v_workspace.home, add_logo.name);
end
$$;
comment on function invite.add_logo(text, text, bytea) is 'Stores a logo of a workspace, and returns its path.';
