/*
 * The caller generates the secret, as for create_trigger_token. The one that it replaces is accepted for keep_seconds more, at most 7 days, and
 * one that is still accepted from an earlier replacement ends now: a token has at most two. Both are one token, so cooldown, idempotency keys,
 * reading, and what was queued stay.
 *
 * replaces: the hint of the secret that the caller saw as present. A form that is submitted twice replaces it once; the second submission raises
 * 23514 trigger_tokens_secret_replaced. Null: whatever is present.
 * Locks: the token's row, which waits for requests that are being accepted.
 * Raises: P0002; 23514 trigger_tokens_keep_range, trigger_tokens_secret_home (of another workspace).
 */
create or replace function invite.replace_trigger_secret(
  token_id uuid, secret_hash bytea, secret_hint text, keep_seconds integer default 86400, replaces text default null, actor text default 'cli'
) returns timestamptz
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_token invite.trigger_tokens;
  v_until timestamptz;
begin
  if replace_trigger_secret.keep_seconds is null or replace_trigger_secret.keep_seconds not between 0 and 604800 then
    raise exception 'a replaced secret is accepted for 0 to 604800 seconds more (trigger_tokens_keep_range)'
      using errcode = '23514', constraint = 'trigger_tokens_keep_range';
  end if;
  select t.* into v_token
  from invite.trigger_tokens as t
  where t.id = replace_trigger_secret.token_id and t.deleted_at is null
  for no key update;
  if not found then
    raise exception 'there is no trigger token %', replace_trigger_secret.token_id using errcode = 'P0002';
  end if;
  if replace_trigger_secret.replaces is distinct from v_token.secret_hint and replace_trigger_secret.replaces is not null then
    raise exception 'the secret has been replaced already (trigger_tokens_secret_replaced)'
      using errcode = '23514', constraint = 'trigger_tokens_secret_replaced';
  end if;
  if substr(replace_trigger_secret.secret_hash, 1, 8) is distinct from substr(v_token.secret_hash, 1, 8) then
    raise exception 'the new secret must have the home of the old one (trigger_tokens_secret_home)'
      using errcode = '23514', constraint = 'trigger_tokens_secret_home';
  end if;

  if replace_trigger_secret.keep_seconds > 0 then
    v_until := invite.clock() + replace_trigger_secret.keep_seconds * interval '1 second';
  end if;
  update invite.trigger_tokens as t
  set
    secret_hash = replace_trigger_secret.secret_hash, secret_hint = replace_trigger_secret.secret_hint,
    previous_secret_hash = t.secret_hash, previous_secret_hint = t.secret_hint,
    previous_secret_until = coalesce(v_until, invite.clock())
  where t.id = v_token.id;
  perform invite.record_audit(
    s.workspace_id, replace_trigger_secret.actor, 'token_secret_replaced', v_token.name,
    jsonb_build_object('survey', s.title, 'hint', replace_trigger_secret.secret_hint, 'previous_hint', v_token.secret_hint, 'previous_until', v_until))
  from invite.surveys as s
  where s.id = v_token.survey_id;
  return v_until;
end
$$;
comment on function invite.replace_trigger_secret(uuid, bytea, text, integer, text, text) is
  'Gives a trigger token another secret. Returns until when the old one is accepted; null: it isn''t any more.';
