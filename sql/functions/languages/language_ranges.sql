/*
 * The tag's form, then what CLDR says that its readers also read, then both for the form without its last subtag, and so on. es-MX gives
 * es-latn-mx, es-latn-419, es-latn, es.
 */
create or replace function invite.language_ranges(tag text) returns text[]
language plpgsql stable parallel safe
as $$
declare
  v_start text := invite.language_form(language_ranges.tag);
  v_ranges text[] := '{}';
begin
  while v_start <> '' loop
    v_ranges := v_ranges || v_start || coalesce((select l.forms[2:] from invite.languages as l where l.tag = v_start), '{}');
    v_start := substring(v_start from '^(.*)-');
  end loop;
  return v_ranges;
end
$$;
comment on function invite.language_ranges(text) is 'What the readers of a language read, best first, in the form of language_form.';
