/*
 * For the response to a request that exceeds the quota. No row: there is no such token.
 */
create or replace function invite.read_quota(secret_hash bytea, recipients_per_hour integer, at timestamptz default null)
returns setof invite.quota
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workspace_id text;
begin
  select s.workspace_id into v_workspace_id
  from invite.tokens_of(read_quota.secret_hash) as k
  join invite.trigger_tokens as t on t.id = k.id
  join invite.surveys as s on s.id = t.survey_id;
  if found then
    return next invite.workspace_quota(
      v_workspace_id, read_quota.recipients_per_hour, invite.now(invite.owner_time(read_quota.at)));
  end if;
end
$$;
comment on function invite.read_quota(bytea, integer, timestamptz) is
  'The recipients that the workspace of a token may invite in any rolling hour, and those that it may still invite now.';
