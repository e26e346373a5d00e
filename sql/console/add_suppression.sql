/*
 * Calls suppress_email on behalf of an editor.
 */
create function console.add_suppression(session_hash bytea, workspace_id text, email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(add_suppression.session_hash, add_suppression.workspace_id, 'editor');
  return invite.suppress_email(add_suppression.workspace_id, add_suppression.email);
end
$$;
comment on function console.add_suppression(bytea, text, text) is
  'Adds an address to the do-not-email list on behalf of an editor. Returns whether it was not on it.';
