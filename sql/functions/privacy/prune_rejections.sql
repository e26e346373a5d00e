/*
 * Deletes the counts of rejected requests that are older than a week. A small table, a row an hour and code: no steps.
 * Called by: the task.
 */
create or replace function invite.prune_rejections(at timestamptz default null) returns integer
language plpgsql volatile
as $$
declare
  v_pruned integer;
begin
  delete from invite.rejections as r
  where r.hour <= coalesce(prune_rejections.at, clock_timestamp()) - interval '7 days';
  get diagnostics v_pruned = row_count;
  return v_pruned;
end
$$;
comment on function invite.prune_rejections(timestamptz) is 'Deletes counts of rejected requests older than a week. Returns how many.';
