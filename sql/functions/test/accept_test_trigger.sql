/*
 * As accept_triggers, at the time of the test workspace. A workspace has at most 10,000 recipients: then it is full: flood_protection without a
 * time to retry.
 * Secrets of real tokens are unknown here, as those of test tokens are there.
 *
 * Locks: the workspace (for no key update), as a step of its clock does; then as accept_triggers.
 */
create or replace function invite.accept_test_trigger(request jsonb, recipients_per_hour integer default 10000)
returns setof invite.trigger_result
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $$
declare
  v_workspace invite.workspaces;
  v_result invite.trigger_result;
begin
  select w.* into v_workspace
  from invite.workspaces as w
  where w.id = invite.test_workspace_of((accept_test_trigger.request ->> 'secret_hash')::bytea)
  for no key update;
  if not found then
    v_result.outcome := 'unknown_token';
    v_result.request := 0;
    return next v_result;
    return;
  end if;
  if (
    select b.workspace_total
    from invite.batches as b
    where b.workspace_id = v_workspace.id and b.workspace_total is not null
    order by b.workspace_total desc
    limit 1
  ) + jsonb_array_length(accept_test_trigger.request -> 'recipients') > 10000 then
    v_result.outcome := 'flood_protection';
    v_result.request := 0;
    return next v_result;
    return;
  end if;
  return query
  select * from invite.accept_triggers(
    jsonb_build_array(accept_test_trigger.request), accept_test_trigger.recipients_per_hour, wait => true, defer => true, test => true);
end
$$;
comment on function invite.accept_test_trigger(jsonb, integer) is 'Accepts or rejects a trigger request with the secret of a test token. See accept_triggers.';
