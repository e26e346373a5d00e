/*
 * The longest start of the tag that is in the table counts, and what follows it stays: en-AU-x-a becomes en-latn-au-x-a. A script that the tag
 * names itself is kept. src/languages/tags.ts does the same.
 */
create or replace function invite.language_form(tag text) returns text
language plpgsql stable parallel safe
as $$
declare
  v_tag constant text := lower(language_form.tag collate "C");
  v_start text := v_tag;
  v_form text;
  v_rest text;
begin
  while v_start <> '' loop
    select l.forms[1] into v_form from invite.languages as l where l.tag = v_start;
    if found then
      v_rest := substr(v_tag, length(v_start) + 1);
      return case when v_rest ~ '^-[a-z]{4}(-|$)' then split_part(v_form, '-', 1) else v_form end || v_rest;
    end if;
    v_start := substring(v_start from '^(.*)-');
  end loop;
  return v_tag;
end
$$;
comment on function invite.language_form(text) is
  'The form in which a language tag is compared: with its script, and without the main region. pt-BR is pt-latn, zh-TW is zh-hant.';
