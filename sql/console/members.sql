create function console.members(session_hash bytea, workspace_id text, max_rows integer default 500) returns setof invite.members
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(members.session_hash, members.workspace_id, 'admin');
  return query
    select m.* from invite.members as m
    where m.workspace_id = members.workspace_id
    order by m.role, m.email
    limit members.max_rows;
end
$$;
comment on function console.members(bytea, text, integer) is 'The members of a workspace, for owners and admins.';
