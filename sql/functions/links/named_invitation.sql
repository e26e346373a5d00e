/*
 * Every link token begins with the home of its workspace and a permuted id; callers compare the rest with link_token. Home and id are
 * variables, so that the only plans are lookups of keys.
 */
create or replace function invite.named_invitation(token text) returns table (invitation invite.invitations, link_token text)
language plpgsql stable rows 1
as $$
declare
  v_home constant text := left(named_invitation.token, 8);
  v_workspace invite.workspaces;
  v_id bigint;
begin
  select w.* into v_workspace from invite.workspaces as w where w.home = v_home;
  if v_workspace.moved_to is not null then
    perform invite.refuse_moved(v_workspace.id, v_workspace.moved_to);
  end if;
  v_id := invite.link_id(named_invitation.token, v_workspace);
  return query
  select i, invite.link_text(i.id, i.secret, v_workspace)
  from invite.invitations as i
  where i.id = v_id and i.workspace_id = v_workspace.id;
end
$$;
comment on function invite.named_invitation(text) is
  'The invitation that the token of a tracked or unsubscribe link names, and the token that its tracked link should have. Proves nothing by itself.';
