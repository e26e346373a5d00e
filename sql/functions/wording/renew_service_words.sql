/*
 * For migrate. words: {tag: {name: [text]}}, or [text, informal text], of sql/words.json.
 */
create or replace function invite.renew_service_words(words jsonb) returns void
language plpgsql volatile
as $$
declare
  v_digest constant text := md5(renew_service_words.words::text);
begin
  if exists (select from invite.definitions as d where d.file = 'words' and d.digest = v_digest) then
    return;
  end if;
  delete from invite.service_words as w where not coalesce(renew_service_words.words -> w.language ? w.name, false);
  insert into invite.service_words as w (language, name, text, informal)
  select l.key, e.key, e.value ->> 0, e.value ->> 1
  from jsonb_each(renew_service_words.words) as l
  cross join lateral jsonb_each(l.value) as e
  on conflict on constraint service_words_pkey do update set text = excluded.text, informal = excluded.informal
    where (w.text, w.informal) is distinct from (excluded.text, excluded.informal);
  -- A language that a workspace has begun to word, and the service now speaks too.
  update invite.wordings as o set spoken = true where not o.spoken and invite.wording_base(o.language) is not null;
  update invite.workspaces as w set wording = k.key
  from invite.workspaces as v
  cross join lateral invite.wording_key(v) as k (key)
  where w.id = v.id and exists (select from invite.wordings as o where o.workspace_id = v.id) and w.wording is distinct from k.key;
  insert into invite.definitions (file, digest) values ('words', v_digest)
  on conflict (file) do update set digest = excluded.digest;
end
$$;
comment on function invite.renew_service_words(jsonb) is 'Stores what this version of the service says to recipients, if another one said it differently.';
