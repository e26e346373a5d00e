create function console.require_test_editor(session_hash bytea, workspace_id text) returns invite.members
language plpgsql stable
as $$
declare
  v_member invite.members := console.require_role(require_test_editor.session_hash, require_test_editor.workspace_id, 'editor');
begin
  if not exists (select from invite.workspaces as w where w.id = v_member.workspace_id and w.test_of is not null) then
    raise exception 'workspace % isn''t a test', v_member.workspace_id using errcode = 'P0002';
  end if;
  return v_member;
end
$$;
comment on function console.require_test_editor(bytea, text) is
  'The member who uses a session, if that person is at least an editor of this test workspace; raises P0002 or IT403 otherwise.';
