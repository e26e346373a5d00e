create function console.set_weekly_report(session_hash bytea, workspace_id text, wanted boolean, time_zone text) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member constant invite.members := console.require_role(set_weekly_report.session_hash, set_weekly_report.workspace_id, 'viewer');
begin
  perform invite.set_weekly_report(v_member.workspace_id, v_member.email, set_weekly_report.wanted, set_weekly_report.time_zone);
end
$$;
comment on function console.set_weekly_report(bytea, text, boolean, text) is 'Sends the member who uses a session a weekly report from now on, or no longer.';
