/*
 * Without an owner, nobody in the workspace could appoint a new one. A workspace that has no owner yet, because it is being set up, is
 * allowed.
 *
 * Locks: the owners' rows in order, so that of two calls at once that each leave the other's owner, the second sees the first.
 * Raises: 23514 members_last_owner.
 */
create or replace function invite.keep_owner(workspace_id text, leaving_email text default null) returns void
language plpgsql volatile
as $$
begin
  perform from invite.members as m
  where m.workspace_id = keep_owner.workspace_id and m.role = 'owner'
  order by m.email
  for update;
  -- A separate statement, because its snapshot must be taken after the lock.
  if array[lower(keep_owner.leaving_email collate "C")] = array(
    select m.email from invite.members as m where m.workspace_id = keep_owner.workspace_id and m.role = 'owner')
  then
    raise exception 'a workspace keeps an owner (members_last_owner)' using errcode = '23514', constraint = 'members_last_owner';
  end if;
end
$$;
comment on function invite.keep_owner(text, text) is 'Locks the owners of a workspace, and raises an error if the person is its only owner.';
