/*
 * Gives a person a role in a workspace, or changes it. Raises: P0002 if there is no such workspace.
 */
create or replace function invite.upsert_member(workspace_id text, email text, role invite.member_role) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_workspace(upsert_member.workspace_id);
  insert into invite.members as m (workspace_id, email, role)
  values (upsert_member.workspace_id, lower(upsert_member.email), upsert_member.role)
  on conflict on constraint members_pkey do update set role = excluded.role;
end
$$;
comment on function invite.upsert_member(text, text, invite.member_role) is 'Adds a member to a workspace or changes the member''s role.';
