create function console.audit_log(
  session_hash bytea, workspace_id text, before_id bigint default null, max_rows integer default 50
) returns setof invite.audit_log
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(audit_log.session_hash, audit_log.workspace_id, 'admin');
  return query
    select a.* from invite.audit_log as a
    -- Pins: open bound.
    where a.workspace_id = audit_log.workspace_id and a.id < coalesce(audit_log.before_id, 9223372036854775807)
    order by a.id desc
    limit audit_log.max_rows;
end
$$;
comment on function console.audit_log(bytea, text, bigint, integer) is 'A page of the audit log, newest first, for owners and admins.';
