/*
 * read_from: the first id to take; null: another step is running. reached: no row up to this id can appear any more; null: not known yet.
 *
 * A transaction that has drawn a lower id and hasn't committed holds a lock on the table. open_to is the last id drawn when the open
 * transactions were noted. Once all these have ended, no row up to open_to can appear any more. Unlike a transaction horizon, this doesn't
 * wait for other databases. The caller reads the rows afterwards in a separate statement, and so sees what has committed meanwhile.
 *
 * Locks: the row of queue_progress (for no key update, skip locked: one step at a time, and none waits).
 */
create or replace function invite.begin_step(queue text, out read_from bigint, out reached bigint)
language plpgsql volatile
as $$
declare
  v_table constant regclass := format('invite.%I', begin_step.queue);
  v_progress invite.queue_progress;
begin
  select p.* into v_progress from invite.queue_progress as p where p.queue = begin_step.queue for no key update skip locked;
  begin_step.read_from := v_progress.read_from;
  if begin_step.read_from is null then
    return;
  end if;
  if v_progress.open_to is null then
    v_progress.open_to := pg_sequence_last_value(pg_get_serial_sequence(v_table::text, 'id')::regclass);
    update invite.queue_progress as p
    set open_to = v_progress.open_to, open_transactions = array(select w.* from invite.open_writers(v_table) as w)
    where p.queue = begin_step.queue;
  -- A prepared transaction has another id after a restart, so any prepared one (-1/…) counts as open.
  elsif not exists (
    select from invite.open_writers(v_table) as w (id) where w.id = any (v_progress.open_transactions) or w.id like '-1/%'
  ) then
    begin_step.reached := v_progress.open_to;
  end if;
end
$$;
comment on function invite.begin_step(text) is
  'Begins a step of reading a queue: rows with ids from read_from on. All rows with lower ids were taken before.';
