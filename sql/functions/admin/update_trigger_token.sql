/*
 * Accepted batches keep their texts.
 * settings: such as {"cooldown_seconds": 60}; what is left out, or null, keeps its value. An empty reminder subject or message removes
 * the token's own: the reminder then has the invitation's. So does an empty text in sender: the workspace's then counts.
 * A token that may read needs events to read: the workspace records them from then on.
 * The audit log names what changed, if anything did. actor: as for record_audit.
 * Locks: the token's row, then, to record events, the workspace's. Raises: P0002, 23514 for a value out of range or an unknown setting
 * (trigger_tokens_unknown_setting).
 */
create or replace function invite.update_trigger_token(token_id uuid, settings jsonb, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old invite.trigger_tokens;
  v_new invite.trigger_tokens;
  v_changed text[];
begin
  select t.* into v_old
  from invite.trigger_tokens as t
  where t.id = update_trigger_token.token_id and t.deleted_at is null
  for no key update;
  if not found then
    raise exception 'there is no trigger token %', update_trigger_token.token_id using errcode = 'P0002';
  end if;

  perform invite.require_known(
    update_trigger_token.settings, array(select s.name from invite.token_settings() as s), 'a trigger token has no setting', 'trigger_tokens_unknown_setting');

  v_new := jsonb_populate_record(v_old, (
    select coalesce(jsonb_object_agg(e.key, case when s.empty_removes and e.value = '""' then 'null' else e.value end), '{}')
    from jsonb_each(jsonb_strip_nulls(update_trigger_token.settings)) as e
    join invite.token_settings() as s on s.name = e.key));
  v_new.sender := invite.merge_texts(v_old.sender, update_trigger_token.settings -> 'sender');
  if v_new is not distinct from v_old then
    return;
  end if;

  execute (
    select format(
      'update invite.trigger_tokens as t set (%1$s) = (select %1$s from (select ($1).*) as n) where t.id = ($1).id returning t.*',
      string_agg(quote_ident(s.name), ', '))
    from invite.token_settings() as s)
  into v_new using v_new;
  -- Of the row as it was stored.
  v_changed := array(
    select n.key from jsonb_each(to_jsonb(v_new)) as n where n.value is distinct from to_jsonb(v_old) -> n.key order by n.key);
  if v_new.allow_reading and not v_old.allow_reading then
    perform invite.set_workspace_events(s.workspace_id, true) from invite.surveys as s where s.id = v_new.survey_id;
  end if;
  perform invite.record_audit(
    s.workspace_id, update_trigger_token.actor, 'token_changed', v_new.name,
    jsonb_build_object('survey', s.title, 'hint', v_new.secret_hint, 'changed', v_changed)
      || case when 'allow_reading' = any (v_changed) then jsonb_build_object('allow_reading', v_new.allow_reading) else '{}' end)
  from invite.surveys as s
  where s.id = v_new.survey_id;
end
$$;
comment on function invite.update_trigger_token(uuid, jsonb, text) is
  'Changes the given settings of a trigger token, named as the columns of trigger_tokens.';
