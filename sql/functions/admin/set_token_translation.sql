/*
 * texts: in the form of trigger_tokens.translations. A text that is left out stays; an empty text or null removes it. Accepted batches keep
 * their texts. actor: as for record_audit. checked: names of texts that still fit although they stay as they are; null: all that are given. saw: by
 * the names of the texts, what translated_original says.
 * Locks: the token's row. Raises: P0002, 23514 (trigger_tokens_translations_form, with the place in its detail;
 * require_variables).
 */
create or replace function invite.set_token_translation(
  token_id uuid, language text, texts jsonb, actor text default 'cli', checked text[] default null, saw jsonb default null
) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_token invite.trigger_tokens;
  v_old jsonb;
  v_texts jsonb;
  v_from jsonb;
  v_new invite.trigger_tokens;
begin
  select t.* into v_token
  from invite.trigger_tokens as t
  where t.id = set_token_translation.token_id and t.deleted_at is null
  for no key update;
  if not found then
    raise exception 'there is no trigger token %', set_token_translation.token_id using errcode = 'P0002';
  end if;
  perform invite.require_variables(set_token_translation.language, set_token_translation.texts);
  v_old := v_token.translations -> set_token_translation.language;
  v_texts := invite.merge_texts(v_old, set_token_translation.texts);
  v_new := v_token;
  v_new.translations := invite.with_language(v_token.translations, set_token_translation.language, v_texts);
  select jsonb_object_agg(k.name, k.original) into v_from
  from (
    select
      n.name,
      invite.translated_original(
        v_old -> n.name, v_texts -> n.name, v_token.translated_from #> array[set_token_translation.language, n.name], o.texts ->> n.name,
        set_token_translation.saw ->> n.name,
        coalesce(n.name = any (set_token_translation.checked), set_token_translation.texts ? n.name)) as original
    from jsonb_object_keys(case when jsonb_typeof(v_texts) = 'object' then v_texts else '{}' end) as n (name)
    cross join invite.token_originals(v_token) as o (texts)
  ) as k
  where k.original is not null;
  v_new.translated_from := invite.with_language(v_token.translated_from, set_token_translation.language, v_from);
  if v_new is not distinct from v_token then
    return;
  end if;
  update invite.trigger_tokens as t set translations = v_new.translations, translated_from = v_new.translated_from where t.id = v_token.id;
  perform invite.record_audit(
    s.workspace_id, set_token_translation.actor, 'token_changed', v_token.name,
    jsonb_build_object(
      'survey', s.title, 'hint', v_token.secret_hint, 'changed', array['translations'], 'translations', array[set_token_translation.language]))
  from invite.surveys as s
  where s.id = v_token.survey_id and v_new.translations is distinct from v_token.translations;
end
$$;
comment on function invite.set_token_translation(uuid, text, jsonb, text, text[], jsonb) is 'Changes the translation of a trigger token''s texts into one language.';
