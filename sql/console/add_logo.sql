create function console.add_logo(session_hash bytea, workspace_id text, name text, picture bytea) returns text
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(add_logo.session_hash, add_logo.workspace_id, 'editor');
  return invite.add_logo(add_logo.workspace_id, add_logo.name, add_logo.picture);
end
$$;
comment on function console.add_logo(bytea, text, text, bytea) is
  'Stores a logo of a workspace for an editor, and returns its path. It is shown once a sender has that as its logo_url.';
