/*
 * Raises: as invite.set_cap; 23514 caps_many if the workspace would have more than 100.
 */
create function console.set_cap(
  session_hash bytea, workspace_id text, scope invite.cap_scope, domain text, per_hour integer, per_day integer
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(set_cap.session_hash, set_cap.workspace_id, 'admin');
  if (select count(*) from invite.caps as c where c.workspace_id = set_cap.workspace_id) >= 100
    and num_nonnulls(set_cap.per_hour, set_cap.per_day) > 0
    and not exists (
      select from invite.caps as c
      where c.workspace_id = set_cap.workspace_id and c.scope = set_cap.scope and c.domain = lower(set_cap.domain collate "C"))
  then
    raise exception 'a workspace has at most 100 caps (caps_many)'
      using errcode = '23514', constraint = 'caps_many', table = 'caps', schema = 'invite';
  end if;
  return invite.set_cap(set_cap.workspace_id, set_cap.scope, set_cap.domain, set_cap.per_hour, set_cap.per_day, own => true);
end
$$;
comment on function console.set_cap(bytea, text, invite.cap_scope, text, integer, integer) is
  'Sets how many emails may leave in an hour and in a day, on behalf of an owner or admin. The operator''s number holds if it is lower.';
