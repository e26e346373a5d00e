create or replace function invite.has_caps(workspace invite.workspaces) returns boolean
language sql stable
as $$
  select exists (select from invite.caps as c where c.workspace_id = (has_caps.workspace).id)
    or (has_caps.workspace).test_of is null and exists (select from invite.shared_caps)
$$;
comment on function invite.has_caps(invite.workspaces) is 'Whether emails of a workspace may have to wait for a place under a cap.';
