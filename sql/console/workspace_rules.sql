create type console.workspace_rules as (
  rest_days integer, open_hours int4multirange, closed_days datemultirange, time_zone text, max_delay_hours integer
);
comment on type console.workspace_rules is 'The rules about when a workspace''s emails may leave, as its columns.';

create function console.workspace_rules(session_hash bytea, workspace_id text) returns console.workspace_rules
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(workspace_rules.session_hash, workspace_rules.workspace_id, 'admin');
  return (
    select row(w.rest_days, w.open_hours, w.closed_days, w.time_zone, w.max_delay_hours)::console.workspace_rules
    from invite.workspaces as w
    where w.id = workspace_rules.workspace_id);
end
$$;
comment on function console.workspace_rules(bytea, text) is 'The rules about when a workspace''s emails may leave, for owners and admins.';
