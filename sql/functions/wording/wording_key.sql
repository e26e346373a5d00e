create or replace function invite.wording_key(workspace invite.workspaces) returns text
language sql stable
as $$
  select (workspace).home || md5(string_agg(concat_ws(' ', o.language, o.informal, o.words), E'\n' order by o.language))
  from invite.wordings as o
  where o.workspace_id = (workspace).id and o.spoken
  having count(*) > 0
$$;
comment on function invite.wording_key(invite.workspaces) is
  'What workspaces.wording is to be: another value whenever recipients read something else. Null: the workspace has no words of its own.';
