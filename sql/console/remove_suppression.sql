/*
 * Calls lift_suppression on behalf of an editor.
 */
create function console.remove_suppression(session_hash bytea, workspace_id text, email text) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(remove_suppression.session_hash, remove_suppression.workspace_id, 'editor');
  return invite.lift_suppression(remove_suppression.workspace_id, remove_suppression.email);
end
$$;
comment on function console.remove_suppression(bytea, text, text) is
  'Takes an address off the do-not-email list on behalf of an editor, if it bounced or was added by hand. Returns what lift_suppression returns.';
