/*
 * A misspelt variable would be sent as it is written. The variables are those of TEMPLATE_VARIABLES (src/mail/template.ts).
 * Raises: 23514 (trigger_tokens_unknown_variable), with the place in its detail: the name of the text, after the language of a translation.
 */
create or replace function invite.require_variables(language text, texts jsonb) returns void
language plpgsql immutable parallel safe
as $$
declare
  v_variables constant text[] := array['recipient_name', 'workspace_name', 'survey_title', 'survey_link'];
  v_unknown record;
begin
  select concat_ws('.', require_variables.language, e.key) as place, m.found[1] as variable into v_unknown
  from jsonb_each(case when jsonb_typeof(texts) = 'object' then texts else '{}' end) as e
  cross join lateral regexp_matches(e.value #>> '{}', '\{\{([^{}\n]*)\}\}', 'g') as m (found)
  where m.found[1] <> all (v_variables)
  order by e.key
  limit 1;
  if found then
    raise exception 'the text % has an unknown variable (trigger_tokens_unknown_variable)', v_unknown.place
      using errcode = '23514', constraint = 'trigger_tokens_unknown_variable', table = 'trigger_tokens', schema = 'invite',
        detail = jsonb_build_object('place', left(v_unknown.place, 200), 'variable', left(v_unknown.variable, 64), 'variables', v_variables);
  end if;
end
$$;
comment on function invite.require_variables(text, jsonb) is
  'Rejects texts of a token, or of its translation into a language, with a variable that there isn''t, and names it.';
