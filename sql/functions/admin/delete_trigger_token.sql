/*
 * The row stays, because its batches refer to it.
 */
create or replace function invite.delete_trigger_token(token_id uuid, actor text default 'cli') returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_token invite.trigger_tokens;
begin
  update invite.trigger_tokens as t set deleted_at = invite.clock()
  where t.id = delete_trigger_token.token_id and t.deleted_at is null
  returning t.* into v_token;
  if not found then
    raise exception 'there is no trigger token %', delete_trigger_token.token_id using errcode = 'P0002';
  end if;
  perform invite.record_audit(
    s.workspace_id, delete_trigger_token.actor, 'token_deleted', v_token.name,
    jsonb_build_object('survey', s.title, 'hint', v_token.secret_hint))
  from invite.surveys as s
  where s.id = v_token.survey_id;
end
$$;
comment on function invite.delete_trigger_token(uuid, text) is 'Deletes a trigger token at once; what it has queued is still sent.';
