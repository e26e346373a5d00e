/*
 * It needs no job to be right, because what asks whether a survey is open compares its date: this writes the state, with which the event and the
 * audit log follow. One that somebody has locked is closed with the next minute's healing.
 * workspace_id: a test workspace, at its own time. Null: all that are real.
 * A full step adds a job for the next. Locks: the surveys (for no key update, skip locked). Pins: index order.
 */
create or replace function invite.close_surveys(max_rows integer default 100, at timestamptz default null, workspace_id text default null) returns integer
language plpgsql volatile
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
declare
  v_now constant timestamptz := invite.clock(close_surveys.at);
  v_closed integer;
begin
  update invite.surveys as s
  set state = 'closed'
  where s.id = any (array(
    select d.id
    from invite.surveys as d
    join invite.workspaces as w on w.id = d.workspace_id
      and w.moved_to is null and (w.id = close_surveys.workspace_id or close_surveys.workspace_id is null and w.test_of is null)
    where d.state = 'active' and d.closes_at <= v_now
    order by d.closes_at
    limit close_surveys.max_rows
    for no key update of d skip locked));
  get diagnostics v_closed = row_count;
  if v_closed >= close_surveys.max_rows and close_surveys.workspace_id is null then
    perform graphile_worker.add_job('close_surveys', priority => -1);
  end if;
  return v_closed;
end
$$;
comment on function invite.close_surveys(integer, timestamptz, text) is 'Closes the active surveys whose closing date has come. Returns how many.';
