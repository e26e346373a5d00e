/*
 * until, "by": as request_test_advance. now: what the clock said on the page that asks. If it says something else by now, or is moving,
 * nothing is done: two clicks on a button move it once.
 *
 * Returns whether the clock will be moved.
 * Locks: the workspace (for no key update), as a step of its clock does.
 * Raises: P0002 also if it isn't a test workspace; as request_test_advance.
 */
create function console.advance_test_clock(
  session_hash bytea, workspace_id text, now timestamptz, until timestamptz default null, by interval default null
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_test_editor(advance_test_clock.session_hash, advance_test_clock.workspace_id);
  perform from invite.workspaces as w
  where w.id = advance_test_clock.workspace_id and w.test_now = advance_test_clock.now
  for no key update;
  if not found
    or exists (select from invite.test_advances as a where a.workspace_id = advance_test_clock.workspace_id and a.ended_at is null)
  then
    return false;
  end if;
  perform invite.request_test_advance(
    advance_test_clock.workspace_id, coalesce(advance_test_clock.until, advance_test_clock.now + advance_test_clock.by));
  return true;
end
$$;
comment on function console.advance_test_clock(bytea, text, timestamptz, timestamptz, interval) is
  'Asks for the clock of a test workspace to be moved, on behalf of an editor. Returns whether it will be.';
