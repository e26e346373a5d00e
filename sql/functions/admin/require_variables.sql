/*
 * A misspelt variable would be sent as it is written. The variables are those of TEMPLATE_VARIABLES (src/mail/template.ts).
 */
create or replace function invite.require_variables(language text, texts jsonb) returns void
language plpgsql immutable parallel safe
as $$
declare
  v_variables constant text[] := array['recipient_name', 'workspace_name', 'survey_title', 'survey_link'];
  v_unknown record;
begin
  select e.key as name, m.found[1] as variable into v_unknown
  from jsonb_each(case when jsonb_typeof(texts) = 'object' then texts else '{}' end) as e
  cross join lateral regexp_matches(e.value #>> '{}', '\{\{([^{}\n]*)\}\}', 'g') as m (found)
  where m.found[1] <> all (v_variables)
  order by e.key
  limit 1;
  if found then
    raise exception 'the translation has an unknown variable at %.% (trigger_tokens_translations_variable)', language, v_unknown.name
      using errcode = '23514', constraint = 'trigger_tokens_translations_variable', table = 'trigger_tokens', schema = 'invite',
        detail = jsonb_build_object(
          'place', left(concat_ws('.', language, v_unknown.name), 200), 'variable', left(v_unknown.variable, 64), 'variables', v_variables);
  end if;
end
$$;
comment on function invite.require_variables(text, jsonb) is 'Rejects translated texts of a token with a variable that there isn''t, and names it.';
