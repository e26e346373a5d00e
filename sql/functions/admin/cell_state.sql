/*
 * For `cell list`, which asks each cell through the router. What may be many is estimated, so that this costs the same however much there is.
 */
create or replace function invite.cell_state()
returns table (
  version integer, workspaces bigint, invitations bigint, due bigint, waiting bigint, sent bigint, workers bigint, moving bigint, old_copies bigint
)
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select
    invite.schema_version(),
    (
      select count(*) from invite.workspaces as w
      where w.test_of is null and not exists (select from invite.moved_workspaces as m where m.workspace_id = w.id)
    ),
    case
      when c.reltuples < 10000 then (select count(*) from (select from invite.invitations limit 20000) as i)
      else c.reltuples::bigint
    end,
    q.due,
    q.waiting,
    (select r.sent from invite.recent_activity() as r where r.seconds = 3600),
    q.workers,
    (
      select count(*) from invite.workspaces as w
      where w.test_of is null and w.moved_to is not null and not exists (select from invite.moved_workspaces as m where m.workspace_id = w.id)
    ),
    (
      select count(*) from invite.moved_workspaces as m
      join invite.workspaces as w on w.id = m.workspace_id
      where w.test_of is null
    )
  from invite.queue_metrics() as q
  cross join pg_class as c
  where c.oid = 'invite.invitations'::regclass
$$;
comment on function invite.cell_state() is
  'What this database holds and does: its workspaces without tests, of which some are moving away, old copies of others, about how many invitations, what is due and held, what was sent within an hour.';
