/*
 * time_zone: null for the workspace's. Locks: as notified_member. Raises: as notified_member; 23514 notified_members_time_zone_known.
 */
create or replace function invite.set_weekly_report(
  workspace_id text, email text, wanted boolean, time_zone text default null, at timestamptz default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.notified_members := invite.notified_member(set_weekly_report.workspace_id, set_weekly_report.email);
  v_zone text;
  v_due_at timestamptz;
begin
  if set_weekly_report.time_zone is not null and not invite.is_time_zone(set_weekly_report.time_zone) then
    raise exception 'there is no time zone % (notified_members_time_zone_known)', set_weekly_report.time_zone
      using errcode = '23514', constraint = 'notified_members_time_zone_known';
  end if;
  if set_weekly_report.wanted then
    v_zone := invite.zone_of(set_weekly_report.time_zone, (select w.time_zone from invite.workspaces as w where w.id = v_member.workspace_id));
    v_due_at := invite.next_report_at(v_zone, invite.clock(invite.owner_time(set_weekly_report.at)));
    perform invite.wake_notifications(v_due_at);
  end if;
  update invite.notified_members as n
  set report_due_at = v_due_at, time_zone = case when set_weekly_report.wanted then set_weekly_report.time_zone else n.time_zone end
  where n.id = v_member.id and (n.report_due_at, n.time_zone) is distinct from (v_due_at, set_weekly_report.time_zone);
  if found and (v_member.report_due_at is null) = set_weekly_report.wanted then
    perform invite.record_audit(
      v_member.workspace_id, invite.current_actor(), 'notifications_changed', v_member.email,
      jsonb_build_object('weekly_report', set_weekly_report.wanted));
  end if;
end
$$;
comment on function invite.set_weekly_report(text, text, boolean, text, timestamptz) is
  'Sends a member a report every Monday at 8:00 from now on, or no longer.';
