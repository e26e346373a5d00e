/*
 * An address that is already on the list keeps its reason. Messages already queued for the address end as suppressed when they are due. The
 * audit log doesn't name the address, because it could not be erased there.
 * Raises: P0002 if there is no such workspace, 23514 suppressions_email_form.
 */
create or replace function invite.suppress_email(workspace_id text, email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_email constant text := lower(btrim(suppress_email.email collate "C"));
begin
  perform invite.require_workspace(suppress_email.workspace_id);
  if length(v_email) > 254 or v_email !~ '^[^@[:space:][:cntrl:]<>,;]+@[^@[:space:][:cntrl:]<>,;]+[.][^@[:space:][:cntrl:]<>,;]+$'
    or v_email ~ invite.direction_marks() then
    raise exception 'not an email address (suppressions_email_form)' using errcode = '23514', constraint = 'suppressions_email_form';
  end if;
  insert into invite.suppressions (workspace_id, email, reason, added_by)
  values (suppress_email.workspace_id, v_email, 'manual', nullif(invite.current_actor(), 'cli'))
  on conflict on constraint suppressions_pkey do nothing;
  if not found then
    return false;
  end if;
  perform invite.record_audit(suppress_email.workspace_id, invite.current_actor(), 'address_blocked', 'manual');
  return true;
end
$$;
comment on function invite.suppress_email(text, text) is
  'Adds an address to the do-not-email list of a workspace. Returns false if it was already on the list.';
