/*
 * texts: in the form of trigger_tokens.translations. A text that is left out stays; an empty text or null removes it. Accepted batches keep
 * their texts. actor: as for record_audit.
 * Locks: the token's row. Raises: P0002, 23514 (trigger_tokens_translations_form, with the place in its detail).
 */
create or replace function invite.set_token_translation(token_id uuid, language text, texts jsonb, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_token invite.trigger_tokens;
  v_texts jsonb;
  v_new jsonb;
begin
  select t.* into v_token
  from invite.trigger_tokens as t
  where t.id = set_token_translation.token_id and t.deleted_at is null
  for no key update;
  if not found then
    raise exception 'there is no trigger token %', set_token_translation.token_id using errcode = 'P0002';
  end if;
  v_texts := invite.merge_texts(v_token.translations -> set_token_translation.language, set_token_translation.texts);
  v_new := nullif(
    coalesce(v_token.translations, '{}') - set_token_translation.language
      || case when v_texts is null then '{}' else jsonb_build_object(set_token_translation.language, v_texts) end,
    '{}');
  if v_new is not distinct from v_token.translations then
    return;
  end if;
  update invite.trigger_tokens as t set translations = v_new where t.id = v_token.id;
  perform invite.record_audit(
    s.workspace_id, set_token_translation.actor, 'token_changed', v_token.name,
    jsonb_build_object(
      'survey', s.title, 'hint', v_token.secret_hint, 'changed', array['translations'], 'translations', array[set_token_translation.language]))
  from invite.surveys as s
  where s.id = v_token.survey_id;
end
$$;
comment on function invite.set_token_translation(uuid, text, jsonb, text) is 'Changes the translation of a trigger token''s texts into one language.';
