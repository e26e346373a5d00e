/*
 * Nothing happens if there is none. Raises: P0002.
 */
create or replace function invite.end_previous_secret(token_id uuid, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now constant timestamptz := invite.clock();
  v_token invite.trigger_tokens;
begin
  select t.* into v_token
  from invite.trigger_tokens as t
  where t.id = end_previous_secret.token_id and t.deleted_at is null
  for no key update;
  if not found then
    raise exception 'there is no trigger token %', end_previous_secret.token_id using errcode = 'P0002';
  end if;
  if v_token.previous_secret_until > v_now then
    update invite.trigger_tokens as t set previous_secret_until = v_now where t.id = v_token.id;
    perform invite.record_audit(
      s.workspace_id, end_previous_secret.actor, 'token_secret_ended', v_token.name,
      jsonb_build_object('survey', s.title, 'hint', v_token.previous_secret_hint))
    from invite.surveys as s
    where s.id = v_token.survey_id;
  end if;
end
$$;
comment on function invite.end_previous_secret(uuid, text) is 'Ends a replaced secret that a trigger token still accepts.';
