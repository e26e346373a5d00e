/*
 * Raises: P0002; IT503, as require_workspace.
 */
create or replace function invite.require_batch(batch_id uuid) returns void
language plpgsql stable
as $$
declare
  v_workspace text;
begin
  select b.workspace_id into v_workspace from invite.batches as b where b.id = require_batch.batch_id;
  if v_workspace is null then
    raise exception 'there is no batch %', require_batch.batch_id using errcode = 'P0002';
  end if;
  perform invite.require_workspace(v_workspace);
end
$$;
comment on function invite.require_batch(uuid) is 'Raises P0002 unless the batch exists, and IT503 if its workspace is not here.';
