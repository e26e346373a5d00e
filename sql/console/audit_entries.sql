/*
 * The audit log of a workspace, newest first, for owners and admins: a page of it, before an id. Called by: the HTTP process.
 * Raises: P0002, 42501 (require_role).
 */
create or replace function invite.audit_entries(
  session_hash bytea, workspace_id text, before_id bigint default null, max_rows integer default 50
) returns setof invite.audit_log
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform invite.require_role(audit_entries.session_hash, audit_entries.workspace_id, 'admin');
  return query
    select a.* from invite.audit_log as a
    -- No `is null or`: in a plan that is kept for all calls each page would begin at the newest entry.
    where a.workspace_id = audit_entries.workspace_id and a.id < coalesce(audit_entries.before_id, 9223372036854775807)
    order by a.id desc
    limit audit_entries.max_rows;
end
$$;
comment on function invite.audit_entries(bytea, text, bigint, integer) is 'A page of the audit log, newest first, for owners and admins.';
