/*
 * before: the workspace's words of the language that the caller has read. If others have changed one of the given words since, nothing is
 * changed, and it returns false. Null: not checked. Locks: the workspace's row.
 */
create function console.set_wording(
  session_hash bytea, workspace_id text, language text, words jsonb, informal boolean, before jsonb default null
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_role(set_wording.session_hash, set_wording.workspace_id, 'admin');
  v_now jsonb;
begin
  perform from invite.workspaces as w where w.id = set_wording.workspace_id for no key update;
  select o.words into v_now from invite.wordings as o where o.workspace_id = set_wording.workspace_id and o.language = set_wording.language;
  if set_wording.before is not null and exists (
    select from jsonb_object_keys(set_wording.words) as n (name)
    where set_wording.before ->> n.name is distinct from v_now ->> n.name)
  then
    return false;
  end if;
  perform invite.set_wording(set_wording.workspace_id, set_wording.language, set_wording.words, set_wording.informal, v_member.email);
  return true;
end
$$;
comment on function console.set_wording(bytea, text, text, jsonb, boolean, jsonb) is
  'Changes what a workspace has recipients read in a language, on behalf of an owner or admin, unless others have changed it meanwhile.';
