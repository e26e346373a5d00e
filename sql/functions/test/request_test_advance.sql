/*
 * A worker does it (advance_test_clock), one after the other. until: null: to the next time at which something happens. by: in place of until.
 * It is deleted after a day.
 *
 * Raises: P0002 if it isn't a test workspace; 22023 test_advances_backwards, test_advances_too_far (more than 400 days).
 */
create or replace function invite.request_test_advance(workspace_id text, until timestamptz default null, by interval default null) returns uuid
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz;
  v_until timestamptz;
  v_id uuid;
begin
  select w.test_now into v_now from invite.workspaces as w where w.id = request_test_advance.workspace_id and w.test_of is not null;
  if not found then
    raise exception 'there is no test workspace %', request_test_advance.workspace_id using errcode = 'P0002';
  end if;
  v_until := date_trunc('milliseconds', coalesce(request_test_advance.until, v_now + request_test_advance.by));
  if v_until < v_now then
    raise exception 'the clock of a test workspace never goes back (test_advances_backwards)'
      using errcode = '22023', constraint = 'test_advances_backwards', table = 'test_advances', schema = 'invite';
  elsif v_until > v_now + interval '400 days' then
    raise exception 'the clock of a test workspace moves by at most 400 days at a time (test_advances_too_far)'
      using errcode = '22023', constraint = 'test_advances_too_far', table = 'test_advances', schema = 'invite';
  end if;
  delete from invite.test_advances as a
  where a.workspace_id = request_test_advance.workspace_id and a.requested_at < invite.clock() - interval '1 day';
  insert into invite.test_advances (workspace_id, until, moves_by)
  values (
    request_test_advance.workspace_id, case when request_test_advance.by is null then v_until end,
    date_trunc('milliseconds', request_test_advance.by))
  returning id into v_id;
  perform invite.queue_test_advance(request_test_advance.workspace_id);
  return v_id;
end
$$;
comment on function invite.request_test_advance(text, timestamptz, interval) is 'Asks for the clock of a test workspace to be moved. Returns the id of the request.';
