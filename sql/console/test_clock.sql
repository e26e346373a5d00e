create type console.test_clock as (
  now timestamptz, next_at timestamptz, is_moving boolean, since timestamptz, until timestamptz, counts jsonb, happened jsonb
);
comment on type console.test_clock is
  'The clock of a test workspace. next_at: when something next happens by itself; null: never. is_moving: whether a worker moves it, or is asked '
  'to. since, until, counts, happened: of the request that came last, as in test_advances; null: there was none recently.';

/*
 * Raises: P0002 also if it isn't a test workspace.
 */
create function console.test_clock(session_hash bytea, workspace_id text) returns console.test_clock
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_last invite.test_advances;
begin
  perform console.require_test_editor(test_clock.session_hash, test_clock.workspace_id);
  select w.test_now into v_now from invite.workspaces as w where w.id = test_clock.workspace_id;
  select a.* into v_last
  from invite.test_advances as a
  where a.workspace_id = test_clock.workspace_id
  order by a.requested_at desc
  limit 1;
  return row(
    v_now,
    invite.next_in_test(test_clock.workspace_id),
    exists (select from invite.test_advances as a where a.workspace_id = test_clock.workspace_id and a.ended_at is null),
    v_last.since, v_last.until, v_last.counts, v_last.happened)::console.test_clock;
end
$$;
comment on function console.test_clock(bytea, text) is
  'The clock of a test workspace, and what happened when it last moved, for editors, admins and owners.';
