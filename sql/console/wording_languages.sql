create function console.wording_languages(session_hash bytea, workspace_id text)
returns table (language text, base text, informal boolean, spoken boolean, own integer, missing integer, outdated integer)
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform console.require_role(wording_languages.session_hash, wording_languages.workspace_id, 'admin');
  return query select l.* from invite.wording_languages(wording_languages.workspace_id) as l;
end
$$;
comment on function console.wording_languages(bytea, text) is 'The languages that a workspace words itself, for owners and admins.';
