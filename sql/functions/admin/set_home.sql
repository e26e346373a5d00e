/*
 * For migrate. A home is chosen once, before there is anything that has it in its name.
 */
create or replace function invite.set_home(home text) returns text
language plpgsql volatile
as $$
begin
  update invite.settings as g set home = set_home.home
  where g.home <> set_home.home and not exists (select from invite.workspaces);
  return (select g.home from invite.settings as g);
end
$$;
comment on function invite.set_home(text) is 'Names the database, as long as it has no workspace. Returns its name.';
