/*
 * unsubscribe_token: as notification_token. It can be repeated, and tells nobody whether there is such a member. Compares digests, as find_link does.
 * Locks: the member's row.
 */
create or replace function invite.stop_notifications(unsubscribe_token text, kind invite.notification_kind) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_home constant text := left(stop_notifications.unsubscribe_token, 8);
  v_workspace invite.workspaces;
  v_member invite.notified_members;
begin
  select w.* into v_workspace from invite.workspaces as w where w.home = v_home;
  if v_workspace.moved_to is not null then
    perform invite.refuse_moved(v_workspace.id, v_workspace.moved_to);
  end if;
  select n.* into v_member
  from invite.notified_members as n
  where n.id = invite.link_id(stop_notifications.unsubscribe_token, v_workspace) and n.workspace_id = v_workspace.id
  for no key update;
  if v_member.id is null or sha256(convert_to(invite.notification_token(v_member), 'UTF8'))
    is distinct from sha256(convert_to(stop_notifications.unsubscribe_token, 'UTF8'))
  then
    return;
  end if;
  perform set_config('invite.actor', v_member.email, true);
  if stop_notifications.kind = 'weekly_report' then
    perform invite.set_weekly_report(v_member.workspace_id, v_member.email, false);
  else
    perform invite.set_score_alert(v_member.workspace_id, v_member.email, a.survey_id, null, null)
    from invite.score_alerts as a
    where a.notified_id = v_member.id;
    delete from invite.low_scores as l where l.notified_id = v_member.id and l.notification_id is null;
  end if;
  update invite.notifications as n set due_at = null, leased_until = null, ended_at = invite.clock(), outcome = 'nothing'
  where n.notified_id = v_member.id and n.kind = stop_notifications.kind and n.due_at is not null and n.leased_until is null;
end
$$;
comment on function invite.stop_notifications(text, invite.notification_kind) is
  'Ends the emails of one kind to the member whom a link names. A wrong link does nothing.';
