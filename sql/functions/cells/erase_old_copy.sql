/*
 * As delete_workspace. Does nothing if the workspace is here, or its copy is erased already.
 */
create or replace function invite.erase_old_copy(workspace_id text, max_rows integer default 2000) returns invite.delete_result
language plpgsql volatile
as $$
declare
  v_step invite.delete_result := row(0, 0, false);
begin
  if exists (select from invite.workspaces as w where w.id = erase_old_copy.workspace_id and w.moved_to is not null)
    and exists (select from invite.moved_workspaces as m where m.workspace_id = erase_old_copy.workspace_id)
  then
    v_step := invite.delete_workspace(erase_old_copy.workspace_id, erase_old_copy.max_rows);
  end if;
  update invite.moved_workspaces as m set erased_at = invite.clock()
  where m.erased_at is null and not exists (select from invite.workspaces as w where w.id = m.workspace_id);
  return v_step;
end
$$;
comment on function invite.erase_old_copy(text, integer) is
  'One bounded step of erasing what is left of a workspace that has moved; call again while more is true.';
