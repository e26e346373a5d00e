/*
 * before: as for console.set_survey_translation. Locks: the token.
 */
create function console.set_token_translation(
  session_hash bytea, survey_id text, token_id uuid, language text, texts jsonb, checked text[] default '{}', saw jsonb default null,
  before jsonb default null
) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member invite.members := console.require_token_editor(
    set_token_translation.session_hash, set_token_translation.survey_id, set_token_translation.token_id);
  v_now jsonb;
begin
  select t.translations -> set_token_translation.language into v_now
  from invite.trigger_tokens as t
  where t.id = set_token_translation.token_id
  for no key update;
  if set_token_translation.before <> coalesce(v_now, '{}') then
    return false;
  end if;
  perform invite.set_token_translation(
    set_token_translation.token_id, set_token_translation.language, set_token_translation.texts, v_member.email,
    set_token_translation.checked, set_token_translation.saw);
  return true;
end
$$;
comment on function console.set_token_translation(bytea, text, uuid, text, jsonb, text[], jsonb, jsonb) is
  'Changes a translation of the texts of a trigger token on behalf of an editor, unless others have changed it meanwhile.';
