/*
 * For `cell list`, which asks each cell through the router. What may be many is estimated, so that this costs the same however much there is.
 */
create or replace function invite.cell_state()
returns table (version integer, workspaces bigint, invitations bigint, due bigint, waiting bigint, sent bigint, workers bigint)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    invite.schema_version(),
    (select count(*) from invite.workspaces as w where w.test_of is null),
    case
      when c.reltuples < 10000 then (select count(*) from (select from invite.invitations limit 20000) as i)
      else c.reltuples::bigint
    end,
    q.due,
    q.waiting,
    (select r.sent from invite.recent_activity() as r where r.seconds = 3600),
    q.workers
  from invite.queue_metrics() as q
  cross join pg_class as c
  where c.oid = 'invite.invitations'::regclass
$$;
comment on function invite.cell_state() is
  'What this database holds and does: its workspaces without tests, about how many invitations, what is due and held, what was sent within an hour.';
