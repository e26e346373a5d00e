/*
 * words: {name: text}. A text that is left out stays; an empty text or null removes it, so that the service says its own. One that is given as it
 * is counts as checked: it is no longer outdated. informal: null leaves it. Emails that haven't been sent yet get the new words.
 * actor: as for record_audit.
 *
 * Locks: the workspace's row. Raises: P0002; 23514 wordings_language_tag; 23514 wordings_form, with all that is wrong in its detail (wording_errors);
 * 23514 wordings_informal_known, if the language has one form of address; 54000 wordings_many.
 */
create or replace function invite.set_wording(
  workspace_id text, language text, words jsonb default '{}', informal boolean default null, actor text default 'cli'
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace invite.workspaces;
  v_old invite.wordings;
  v_new invite.wordings;
  v_given constant jsonb := coalesce(set_wording.words, '{}');
  v_errors jsonb;
begin
  perform invite.require_workspace(set_wording.workspace_id);
  select w.* into v_workspace from invite.workspaces as w where w.id = set_wording.workspace_id for no key update;
  if not coalesce(invite.is_language_tag(set_wording.language), false) then
    raise exception '% is no language tag (wordings_language_tag)', set_wording.language
      using errcode = '23514', constraint = 'wordings_language_tag', table = 'wordings', schema = 'invite';
  end if;
  v_errors := case when jsonb_typeof(v_given) = 'object' then invite.wording_errors(v_given) else '[{"code": "not_an_object"}]' end;
  if v_errors is not null then
    raise exception 'the wording is invalid: % (wordings_form)', v_errors
      using errcode = '23514', constraint = 'wordings_form', detail = jsonb_build_object('errors', v_errors), table = 'wordings', schema = 'invite';
  end if;
  select o.* into v_old from invite.wordings as o where o.workspace_id = v_workspace.id and o.language = set_wording.language;
  v_new := invite.merge_wording(v_old, set_wording.language, v_given, set_wording.informal);
  if v_new.informal and not invite.has_informal(set_wording.language) then
    raise exception '% has one form of address (wordings_informal_known)', set_wording.language
      using errcode = '23514', constraint = 'wordings_informal_known', table = 'wordings', schema = 'invite';
  end if;
  if v_new.words = '{}' and not v_new.informal then
    delete from invite.wordings as o where o.workspace_id = v_workspace.id and o.language = set_wording.language;
  else
    insert into invite.wordings as o (workspace_id, language, words, originals, informal, spoken)
    values (v_workspace.id, set_wording.language, v_new.words, v_new.originals, v_new.informal, v_new.spoken)
    on conflict on constraint wordings_pkey do update
      set words = excluded.words, originals = excluded.originals, informal = excluded.informal, spoken = excluded.spoken;
  end if;
  if (select count(*) from invite.wordings as o where o.workspace_id = v_workspace.id) > 50 then
    raise exception 'workspace % words too many languages (wordings_many)', v_workspace.id
      using errcode = '54000', constraint = 'wordings_many', table = 'wordings', schema = 'invite';
  end if;
  update invite.workspaces as w set wording = k.key from invite.wording_key(v_workspace) as k (key)
  where w.id = v_workspace.id and w.wording is distinct from k.key;
  if (v_new.words, v_new.informal) is distinct from (coalesce(v_old.words, '{}'), coalesce(v_old.informal, false)) then
    perform invite.record_audit(
      v_workspace.id, set_wording.actor, 'wording_changed', set_wording.language,
      jsonb_build_object(
        'changed', array(
          select coalesce(o.key, n.key)
          from jsonb_each(coalesce(v_old.words, '{}')) as o
          full join jsonb_each(v_new.words) as n on n.key = o.key
          where o.value is distinct from n.value
          order by 1),
        'informal', case when v_new.informal <> coalesce(v_old.informal, false) then v_new.informal end));
  end if;
end
$$;
comment on function invite.set_wording(text, text, jsonb, boolean, text) is
  'Changes what a workspace has its recipients read in a language in place of the service''s own texts.';
