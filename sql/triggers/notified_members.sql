create or replace function invite.tg_notified_members__forgotten() returns trigger
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from invite.low_scores as l using removed as r where l.notified_id = r.id;
  return null;
end
$$;
comment on function invite.tg_notified_members__forgotten() is 'Forgets what removed members were to be told.';

create or replace trigger _500_forgotten
  after delete on invite.notified_members
  referencing old table as removed
  for each statement
  execute function invite.tg_notified_members__forgotten();
comment on trigger _500_forgotten on invite.notified_members is 'Forgets what removed members were to be told.';
