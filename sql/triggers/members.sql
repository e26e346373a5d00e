/*
 * Deletes sessions and links. It is a statement trigger, so that the locks are taken in the order of the addresses. If two workspaces
 * remove a person at the same time, the second sees what the first did.
 */
create or replace function invite.tg_members__signed_out() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.lock_sign_in(r.email) from (select distinct email from removed order by email) as r;
  -- Separate statements, because their snapshots must be taken after the locks.
  delete from invite.sessions as s using removed as r
  where s.email = r.email and not exists (select from invite.members as m where m.email = r.email);
  delete from invite.sign_in_links as l using removed as r
  where l.email = r.email and not exists (select from invite.members as m where m.email = r.email);
  return null;
end
$$;
comment on function invite.tg_members__signed_out() is 'Signs out people who aren''t members of any workspace any more.';

create or replace trigger _500_signed_out
  after delete on invite.members
  referencing old table as removed
  for each statement
  execute function invite.tg_members__signed_out();
comment on trigger _500_signed_out on invite.members is 'Signs out people who aren''t members of any workspace any more.';
