/*
 * For migrate. languages: {tag: [form, fallback …]}, of sql/languages.json.
 */
create or replace function invite.renew_languages(languages jsonb) returns void
language plpgsql volatile
as $$
declare
  v_digest constant text := md5(renew_languages.languages::text);
begin
  if exists (select from invite.definitions as d where d.file = 'languages' and d.digest = v_digest) then
    return;
  end if;
  delete from invite.languages as l where not renew_languages.languages ? l.tag;
  insert into invite.languages as l (tag, forms)
  select e.key, array(select jsonb_array_elements_text(e.value)) from jsonb_each(renew_languages.languages) as e
  on conflict (tag) do update set forms = excluded.forms where l.forms <> excluded.forms;
  insert into invite.definitions (file, digest) values ('languages', v_digest)
  on conflict (file) do update set digest = excluded.digest;
end
$$;
comment on function invite.renew_languages(jsonb) is 'Stores how this version compares language tags, if another one did it differently.';
