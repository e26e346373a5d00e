/*
 * The members of a workspace, for owners and admins. Called by: the HTTP process. Raises: P0002, 42501 (require_role).
 */
create or replace function invite.workspace_members(session_hash bytea, workspace_id text, max_rows integer default 500)
returns setof invite.members
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_role(workspace_members.session_hash, workspace_members.workspace_id, 'admin');
  return query
    select m.* from invite.members as m
    where m.workspace_id = workspace_members.workspace_id
    order by m.role, m.email
    limit workspace_members.max_rows;
end
$$;
comment on function invite.workspace_members(bytea, text, integer) is 'The members of a workspace, for owners and admins.';
