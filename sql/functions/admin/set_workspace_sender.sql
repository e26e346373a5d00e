/*
 * settings: such as {"name": "Acme", "reply_to": "help@acme.example"}. A setting that is left out stays; an empty text or null removes it.
 * Emails that haven't been sent yet get the new sender. If anything changed, the audit log names the changed settings. actor: as for
 * record_audit.
 * Locks: the workspace's row. Raises: P0002, 23514 (require_sender).
 */
create or replace function invite.set_workspace_sender(workspace_id text, settings jsonb, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old invite.workspaces;
  v_new jsonb;
begin
  perform invite.require_workspace(set_workspace_sender.workspace_id);
  select w.* into v_old from invite.workspaces as w where w.id = set_workspace_sender.workspace_id for no key update;
  v_new := invite.merge_texts(v_old.sender, set_workspace_sender.settings);
  if v_new is not distinct from v_old.sender then
    return;
  end if;
  update invite.workspaces as w set sender = v_new where w.id = v_old.id;
  perform invite.record_audit(
    v_old.id, set_workspace_sender.actor, 'sender_changed', v_old.name,
    jsonb_build_object('changed', array(
      select coalesce(o.key, n.key)
      from jsonb_each(coalesce(v_old.sender, '{}')) as o
      full join jsonb_each(coalesce(v_new, '{}')) as n on n.key = o.key
      where o.value is distinct from n.value
      order by 1)));
end
$$;
comment on function invite.set_workspace_sender(text, jsonb, text) is 'Changes the sender of a workspace''s emails.';
