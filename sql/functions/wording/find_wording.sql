/*
 * For servers and workers, which keep what they get. If the words have changed since the key was read, the new ones come under it: the next
 * page or email has the new key. Of another database, where the workspace is now: null.
 */
create or replace function invite.find_wording(wording text) returns jsonb
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(o.language, jsonb_build_object('informal', o.informal, 'words', o.words))
  from invite.workspaces as w
  join invite.wordings as o on o.workspace_id = w.id and o.spoken
  where w.home = left(find_wording.wording, 8)
$$;
comment on function invite.find_wording(text) is
  'What the workspace of a key (workspaces.wording) has its recipients read in place of the service''s texts: {language: {informal, words}}.';
