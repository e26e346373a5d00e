/*
 * Events of a restored database get positions that the original has already given to others, so a reader would pass over new events. migrate
 * calls this: a dump that is restored makes another database, or the first of another cluster. After a recovery in place, call it with always.
 */
create or replace function invite.renew_epoch(always boolean default false) returns void
language sql volatile
as $$
  with renewed as (
    update invite.settings as g
    set epoch = left(md5(gen_random_uuid()::text), 4), epoch_of = here.database
    from (
      select c.system_identifier || '/' || d.oid as database
      from pg_control_system() as c, pg_database as d
      where d.datname = current_database()
    ) as here
    where renew_epoch.always or here.database is distinct from g.epoch_of
    returning g.one_row
  )
  update invite.workspaces as w set epoch = null from renewed as r where w.epoch is not null
$$;
comment on function invite.renew_epoch(boolean) is 'Makes the cursors of event readers invalid, if this is another database than they were made in.';
