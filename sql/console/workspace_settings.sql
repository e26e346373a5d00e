create type console.workspace_settings as (
  name text, plan_id text, api_trigger boolean, suspended_at timestamptz, quota integer, remaining integer
);
comment on type console.workspace_settings is
  'A workspace with its plan. quota: recipients that it may invite in any rolling hour; remaining: recipients that it may still invite now.';

create function console.workspace_settings(session_hash bytea, workspace_id text, recipients_per_hour integer)
returns console.workspace_settings
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_quota invite.quota;
begin
  perform console.require_role(workspace_settings.session_hash, workspace_settings.workspace_id, 'admin');
  v_quota := invite.workspace_quota(workspace_settings.workspace_id, workspace_settings.recipients_per_hour, invite.now_of(workspace_settings.workspace_id));
  return (
    select row(w.name, p.id, p.api_trigger, w.suspended_at, v_quota."limit", v_quota.remaining)::console.workspace_settings
    from invite.workspaces as w
    join invite.plans as p on p.id = w.plan_id
    where w.id = workspace_settings.workspace_id);
end
$$;
comment on function console.workspace_settings(bytea, text, integer) is
  'What owners and admins see of a workspace: its name, its plan, and its remaining quota.';
