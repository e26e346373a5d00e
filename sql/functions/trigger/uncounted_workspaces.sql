create or replace function invite.uncounted_workspaces() returns text[]
language plpgsql stable
set enable_seqscan = off set enable_bitmapscan = off set jit = off
as $$
begin
  return array(select distinct b.workspace_id from invite.batches as b where b.workspace_total is null order by b.workspace_id);
end
$$;
comment on function invite.uncounted_workspaces() is 'The workspaces with batches from SQL that have no total in the quota yet, for count_batches.';
