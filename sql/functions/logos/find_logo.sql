/*
 * For servers, which keep what they get: under a name there is never another picture.
 */
create or replace function invite.find_logo(home text, name text) returns bytea
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select l.picture
  from invite.workspaces as w
  join invite.logos as l on l.workspace_id = w.id
  where w.home = find_logo.home and l.name = find_logo.name
$$;
comment on function invite.find_logo(text, text) is 'A logo of the workspace with this home. Null: it has none of this name.';
